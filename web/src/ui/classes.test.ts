import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '..')
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: source }).map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const styled = new Set(
  textsOf('**/*.css').flatMap(({ text }) =>
    [...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.([a-z][\w-]*)/gi)].flatMap(
      ([, name]) => name ?? [],
    ),
  ),
)

test('every class that a component names has a style', () => {
  const named = textsOf('**/*.tsx').flatMap(({ file, text }) =>
    [...text.matchAll(/className="([^"]+)"/g)].flatMap(([, names = '']) =>
      names.split(/\s+/).map((name) => ({ file, name })),
    ),
  )
  assert.ok(named.length > 1000 && styled.size > 500)
  assert.deepEqual(
    named.filter(({ name }) => !styled.has(name)),
    [],
  )
})

test('every class that has a style is used', () => {
  const strings = [...textsOf('**/*.{ts,tsx}'), ...textsOf('../*.html')].flatMap(({ file, text }) =>
    file.endsWith('.test.ts')
      ? []
      : [...text.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)].map(([string]) => string),
  )
  const named = new Set(strings.flatMap((string) => string.split(/[^\w-]+/)))
  const begun = strings.flatMap((string) =>
    [...string.matchAll(/([\w-]+-)\$\{/g)].map(([, begin = '']) => begin),
  )
  assert.deepEqual(
    [...styled].filter((name) => !named.has(name) && !begun.some((begin) => name.startsWith(begin))),
    [],
  )
})

test('a class has its own style in one folder, as one of another folder would change it on every page', () => {
  const folders = new Map<string, Set<string>>()
  for (const { file, text } of textsOf('**/*.css'))
    for (const [, name = ''] of text.matchAll(/^\.([\w-]+)(?=,$| \{$)/gm))
      folders.set(name, (folders.get(name) ?? new Set()).add(dirname(file)))
  assert.ok(folders.size > 300)
  assert.deepEqual(
    [...folders].filter(([, found]) => found.size > 1),
    [],
  )
})

test('no rule selects whatever follows an element, as each insertion would then restyle everything below', () => {
  const rules = textsOf('**/*.css').flatMap(({ file, text }) =>
    [...text.matchAll(/^[^{}]*[~+] *\*[^{}]*\{/gm)].map(([rule]) => ({ file, rule })),
  )
  assert.deepEqual(rules, [])
})
