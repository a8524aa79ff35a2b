import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const sources = globSync('{contract,server,web}/src/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8').toLowerCase() }))

test('each search in docs/finding.md finds exactly the named file', () => {
  const page = readFileSync(join(root, 'docs/finding.md'), 'utf8')
  const rows = [...page.matchAll(/^\| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$/gm)]
  assert.ok(rows.length >= 12, `${rows.length} rows`)
  for (const [, question = '', words = '', answer = ''] of rows) {
    const found = sources.filter(({ text }) => text.includes(words.toLowerCase())).map(({ path }) => path)
    assert.deepEqual(found, [answer], question)
  }
})

/** Matches a file name in a comment or document; imports are checked by the compiler. */
const named = /(?<![\w@/.#'*-])((?:[\w-]+\/)*[\w-][\w.-]*\.(?:ts|tsx|md|css|sql|mjs))(?![\w/(])/g
const comment = /^\s*(?:\*|\/\/|--)|\/\*\*/

test('every file named in a comment or in the documentation exists', () => {
  const places = [
    '*.md',
    '{docs,bench}/**/*.md',
    '{contract,server,web,scripts,e2e,bench}/**/*.{ts,tsx,mjs,css,sql}',
  ]
  const paths = globSync(places, { cwd: root, exclude: (path) => /node_modules|\bdist\b/.test(String(path)) })
  assert.ok(paths.length > 1000)
  const ends = new Set(
    paths.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
  )
  const missing = paths.flatMap((path) => {
    // Decisions and the changelog describe what existed at the time.
    if (/^docs\/decisions|^CHANGELOG/.test(path)) return []
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    const candidates = path.endsWith('.md') ? lines : lines.filter((line) => comment.test(line))
    return candidates.flatMap((line) =>
      [...line.matchAll(named)]
        .map(([, name = '']) => name.replace(/^(\.\.?\/)+/, ''))
        .filter((name) => !ends.has(name))
        .map((name) => `${path}: ${name}`),
    )
  })
  assert.deepEqual(missing, [])
})
