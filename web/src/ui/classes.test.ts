import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '..')
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: source }).map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

test('every class that a component names has a style: a field of a width that is none is one column wide', () => {
  const styled = new Set(
    textsOf('**/*.css').flatMap(({ text }) =>
      [...text.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name),
    ),
  )
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
