import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AnyRouter } from '@tanstack/react-router'
import { standInForBrowser } from './test-browser.ts'

let restore: () => void
let guard: typeof import('./guard.ts')
before(async () => {
  restore = standInForBrowser()
  guard = await import('./guard.ts')
})
after(() => restore())

const router = { routesByPath: { '/': {}, '/login': {}, '/dashboard': {}, '/student/entry': {} } }
const returned = (given: unknown) => guard.ownReturnUrl(router as unknown as AnyRouter, given)

test('an address of our own pages is returned to, and nothing else', () => {
  for (const own of [
    '/dashboard',
    '/Dashboard/',
    '/student/entry?FYear=2026-27#top',
    '/dashboard?next=//evil.example',
  ])
    assert.equal(returned(own), own)
  for (const foreign of [
    'https://evil.example/dashboard',
    '//evil.example/dashboard',
    '/\\evil.example',
    '\\\\evil.example',
    '/dashboard\\..\\..',
    '/\t/evil.example',
    'javascript:alert(1)',
    'dashboard',
    ' /dashboard',
    '/dashboard/..//evil.example',
    '/nowhere',
    '/login',
    '/LOGIN?returnurl=/login',
    '/',
    '',
    7,
    null,
    ['/dashboard'],
  ])
    assert.equal(returned(foreign), undefined, String(foreign))
})
