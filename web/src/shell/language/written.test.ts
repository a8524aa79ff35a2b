import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAst } from 'rolldown/parseAst'

/** Every word that people read stands in a list of words in both languages, or in the contract: none in a component. */

const source = join(import.meta.dirname, '../..')

/** Attributes whose text is read or spoken. */
const spoken = /^(aria-label|aria-description|title|label|placeholder|alt|hint|empty|fact|caption|action)$/

/** Names that are the same in every language, keys as keyboards spell them, and the choice of language, which is in both. */
const names =
  /\b(?:Podium|Google|Facebook|UPI|IFSC|UTR|CSV|Excel|(?:(?:Alt|Shift)\+)+\w+)\b|Language \/ भाषा/g

const wordsIn = (text: string) => /\p{L}{2,}/u.test(text.replaceAll(names, ''))

interface Node {
  type: string
  [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function textOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value
  return value.type === 'JSXExpressionContainer' ? textOf(value.expression) : ''
}

/** What a node shows to people by itself. */
function shown(node: Node): string {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type === 'JSXAttribute' && isNode(node.name) && spoken.test(String(node.name.name)))
    return textOf(node.value)
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as unknown[])
      .filter((child) => isNode(child) && child.type !== 'JSXText')
      .map(textOf)
      .join('')
  const callee = node.type === 'CallExpression' && isNode(node.callee) ? node.callee : undefined
  const object = isNode(callee?.object) ? callee.object.name : undefined
  return object === 'toast' ? textOf((node.arguments as unknown[])[0]) : ''
}

function collect(of: unknown, into: string[]): string[] {
  if (Array.isArray(of)) for (const one of of) collect(one, into)
  else if (isNode(of)) {
    into.push(shown(of))
    for (const key in of) if (typeof of[key] === 'object') collect(of[key], into)
  }
  return into
}

/** The words that the components of a file write by themselves. */
function written(code: string): string[] {
  return collect(parseAst(code, { lang: 'tsx' }), []).filter(wordsIn)
}

test('no screen has words of its own outside the lists of words [spec 8.17]', () => {
  const files = globSync('{features,routes,shell,ui}/**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !/gallery|\.test\.|words[\w-]*\.(en|hi)\.ts$/.test(file),
  )
  assert.ok(files.length > 200)
  const found = files.flatMap((file) =>
    written(readFileSync(join(source, file), 'utf8')).map((text) => `${file}: ${text.trim()}`),
  )
  assert.deepEqual(found, [])
})

test('words in a text, an attribute, an expression or a toast are found', () => {
  for (const code of [
    'const a = <p>Hello</p>',
    'const a = <input placeholder="Name" />',
    "const a = <b>{'Hello'}</b>",
    "toast.error('Not saved')",
  ]) {
    assert.equal(written(code).length, 1, code)
  }
  assert.deepEqual(written("const a = <p className='two'>{t('hello')}, {n} × {m}</p>"), [])
})
