import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { AnyRouter } from '@tanstack/react-router'
import { stubBrowser } from './test-browser.ts'

let restore: () => void
let guard: typeof import('./guard.ts')
before(async () => {
  restore = stubBrowser()
  guard = await import('./guard.ts')
})
after(() => restore())

const router = { routesByPath: { '/': {}, '/login': {}, '/dashboard': {}, '/student/entry': {} } }
const returned = (given: unknown) => guard.safeReturnUrl(router as unknown as AnyRouter, given)

test('only an address of our own pages is returned to after sign-in', () => {
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

describe('an unsaved form kept as a draft', () => {
  let drafts: typeof import('./own-draft.ts')
  let session: typeof import('./session.ts')
  let restore: () => void
  before(async () => {
    restore = stubBrowser()
    session = await import('./session.ts')
    drafts = await import('./own-draft.ts')
  })
  after(() => {
    session.endSession()
    restore()
  })

  const meera = { userId: 1, userName: 'Meera Namunawala' }
  const joel = { userId: 2, userName: 'Joel Misaal' }
  beforeEach(() => {
    drafts.deleteOwnDrafts()
    session.startSession('the token', meera)
  })

  test('is restored to the same person after their session has expired', () => {
    drafts.saveOwnDraft('student.new', { name: 'Chhaya' }, 'tab')
    session.endSession()
    assert.equal(drafts.hasOwnDraft(), true)
    assert.equal(drafts.readOwnDraft('student.new'), null, 'to nobody')
    session.startSession('another token', meera)
    assert.deepEqual(drafts.readOwnDraft('student.new'), { name: 'Chhaya' })
  })

  test('does not include the import they are following', () => {
    drafts.saveOwnDraft('import', 'its id', 'tab')
    assert.equal(drafts.hasOwnDraft(), false)
    assert.equal(drafts.readOwnDraft('import'), 'its id')
  })

  test('is hidden from everyone else, and dropped when someone else signs in', () => {
    drafts.saveOwnDraft('student.new', { name: 'Chhaya' }, 'tab')
    session.endSession()
    session.startSession('another token', joel)
    assert.equal(drafts.hasOwnDraft(), false)
  })

  test('is saved in the middle of typing when the session is about to end, and not after a sign-out', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      drafts.saveOwnDraftSoon('student.new', { name: 'Chh' })
      drafts.saveOwnDraftSoon('student.new', { name: 'Chhaya' })
      assert.equal(drafts.hasOwnDraft(), false)
      drafts.saveOwnDrafts()
      assert.deepEqual(drafts.readOwnDraft('student.new'), { name: 'Chhaya' })
      drafts.saveOwnDraftSoon('student.new', { name: 'Chhaya Misaal' })
      drafts.deleteOwnDrafts()
      mock.timers.tick(1_000)
      assert.equal(drafts.hasOwnDraft(), false, 'a sign-out leaves nothing behind')
    } finally {
      mock.timers.reset()
    }
  })
})
