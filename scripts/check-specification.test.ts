import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SpecifiedRoute } from './check-specification.ts'
import { checkLines, checkRoutes } from './check-specification.ts'

const root = join(import.meta.dirname, '..')
const entry: SpecifiedRoute = { path: '/student/entry', access: 'school' }

test('an address that leads nowhere, to the wrong page or lets in someone without access is refused [spec 2.1.10 2.1.17 2.1.19 2.1.22 2.1.23]', () => {
  assert.equal(checkRoutes(root, [entry], () => ({ nothing: '/student/entry' })).length, 4)
  const openToAll = checkRoutes(root, [entry], () => ({ page: '/student/entry' }))
  assert.deepEqual(
    openToAll.map((breach) => breach.replace(/.* instead of /, '')),
    ['/login', '/dashboard', '/dashboard'],
  )
  const redirected = { ...entry, path: '/manage-student', leadsTo: '/student/entry' }
  const breaches = checkRoutes(root, [redirected], (path, person) =>
    person?.schId ? { page: path } : { page: person ? '/dashboard' : '/login' },
  )
  assert.deepEqual(breaches, [
    '/manage-student for staff of a school: /manage-student instead of /student/entry',
  ])
})

const lines = ['- 2.3.1 a banner', '- 2.3.2 choices', '- 2.3.3 a password', '- 9.1 two days'].join('\n')

test('a line of the specification without a test is named, and so is a test of a line that does not exist', () => {
  const titles = ['the banner [spec 2.3.1]', 'choices and a password [spec 2.3.2-3 9.1]']
  assert.deepEqual(checkLines(lines, titles, []), [])
  assert.deepEqual(checkLines(lines, titles.slice(1), []), ['2.3.1 a banner: no test shows it'])
  assert.deepEqual(checkLines(lines, [...titles, 'a fourth [spec 2.3.3-4]'], []), [
    'a fourth [spec 2.3.3-4]: there is no line 2.3.4',
  ])
})

test('a call without a line in the specification is refused', () => {
  assert.deepEqual(checkLines('Account/Login', [], ['Account/Login', 'Account/GetState']), [
    'Account/GetState has no line',
  ])
})
