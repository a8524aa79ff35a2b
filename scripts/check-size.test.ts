import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSize } from './check-size.ts'
import { tree } from './fixture.ts'

const lines = (count: number) => 'export {}\n'.repeat(count)

function breaches(files: Record<string, string>): string[] {
  using fixture = tree(files)
  return checkSize(fixture.root)
}

test('400 lines pass and 401 are refused by name', () => {
  assert.deepEqual(breaches({ 'web/src/ui/a.ts': lines(400) }), [])
  assert.match(breaches({ 'web/src/ui/a.ts': lines(401) }).join(), /ui\/a\.ts has 401 lines, 400 are allowed/)
})

test('a test may have 600 lines and no more', () => {
  assert.deepEqual(breaches({ 'server/src/a.test.ts': lines(600) }), [])
  assert.match(breaches({ 'server/src/a.test.ts': lines(601) }).join(), /600 are allowed/)
})

test('generated files and the data of the demo world are apart', () => {
  const files = { 'server/src/a.generated.ts': lines(900), 'server/seed/data-names.ts': lines(900) }
  assert.deepEqual(breaches(files), [])
})
