import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSize, codeLines } from './check-size.ts'
import { tree } from './fixture.ts'

const lines = (count: number) => 'export {}\n'.repeat(count)
const small = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`web/src/ui/small-${i}.ts`, lines(40)]),
)

function breaches(files: Record<string, string>): string[] {
  using fixture = tree({ ...small, ...files })
  return checkSize(fixture.root).breaches
}

test('300 lines pass and 301 are refused by name', () => {
  assert.deepEqual(breaches({ 'web/src/ui/a.ts': lines(300) }), [])
  assert.match(breaches({ 'web/src/ui/a.ts': lines(301) }).join(), /ui\/a\.ts has 301 lines, 300 are allowed/)
})

test('a test may have 500 lines and no more', () => {
  assert.deepEqual(breaches({ 'server/src/a.test.ts': lines(500) }), [])
  assert.match(breaches({ 'server/src/a.test.ts': lines(501) }).join(), /500 are allowed/)
})

test('the median and the 90th percentile have their own limits', () => {
  const many = (count: number, size: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`contract/src/many-${i}.ts`, lines(size)]))
  assert.match(breaches(many(30, 61)).join(), /median file has 61 lines of code/)
  assert.match(breaches(many(4, 201)).join(), /90th percentile is 201 lines of code/)
})

test('generated files and the data of the demo world are apart', () => {
  assert.deepEqual(
    breaches({ 'server/src/a.generated.ts': lines(900), 'server/seed/data-names.ts': lines(900) }),
    [],
  )
})

test('blank lines, comments and imports are no lines of code', () => {
  const text = `import { a } from './a.ts'
import {
  b,
} from './b.ts'

/** What it
 * does. */
// and why
export const c = a + b
`
  assert.equal(codeLines(text), 1)
})
