import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SpecifiedRoute } from './check-specification.ts'
import { checkDocument, checkRoutes } from './check-specification.ts'

const root = join(import.meta.dirname, '..')
const entry: SpecifiedRoute = { path: '/student/entry', access: 'school' }

test('an address that leads nowhere, elsewhere or lets somebody in who may not is refused', () => {
  assert.equal(checkRoutes(root, [entry], () => ({ nothing: '/student/entry' })).length, 4)
  const openToAll = checkRoutes(root, [entry], () => ({ page: '/student/entry' }))
  assert.deepEqual(
    openToAll.map((breach) => breach.replace(/.* instead of /, '')),
    ['/login', '/dashboard', '/dashboard'],
  )
  const redirected = { ...entry, path: '/manage-student', leadsTo: '/student/entry' }
  const asked = checkRoutes(root, [redirected], (path, person) =>
    person?.schId ? { page: path } : { page: person ? '/dashboard' : '/login' },
  )
  assert.deepEqual(asked, [
    '/manage-student for staff of a school: /manage-student instead of /student/entry',
  ])
})

const refused = (row: string) => checkDocument(root, row, []).breaches

test('a row names a file and a test that exist, or says what is missing', () => {
  const shown = '`scripts/check-size.test.ts`: "400 lines pass and 401 are refused by name"'
  assert.deepEqual(refused(`| a rule | \`scripts/check-size.ts\` | ${shown} |`), [])
  assert.deepEqual(refused('| a rule | `scripts/check-size.ts` | missing: nobody tries it |'), [])
  for (const row of [
    '| a rule | `scripts/check-size.ts` | |',
    `| a rule | \`scripts/no-such-file.ts\` | ${shown} |`,
    '| a rule | `scripts/check-size.ts` | `scripts/check-size.test.ts`: "no such title" |',
    '| a rule | `scripts/check-size.ts` |',
  ]) {
    assert.equal(refused(row).length, 1, row)
  }
})

test('a call without a row is refused', () => {
  assert.deepEqual(checkDocument(root, 'Account/Login', ['Account/Login', 'Account/GetState']).breaches, [
    'Account/GetState has no row',
  ])
})
