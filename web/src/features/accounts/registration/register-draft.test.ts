import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { standInForBrowser } from '#shell/test-browser.ts'

describe('a registration under way', () => {
  let drafts: typeof import('./register-draft.ts')
  let restore: () => void
  before(async () => {
    restore = standInForBrowser()
    mock.timers.enable({ apis: ['Date'], now: 0 })
    drafts = await import('./register-draft.ts')
  })
  after(() => {
    mock.timers.reset()
    restore()
  })

  test('is found again by its own link alone, and for half an hour', () => {
    const lata = { id: 'letter', at: 'form', email: 'lata@teachers.example', name: '' } as const
    drafts.keepRegistration(lata)
    mock.timers.tick(29 * 60_000)
    assert.equal(drafts.savedRegistration('another'), undefined)
    assert.equal(drafts.savedRegistration('letter')?.email, lata.email)
    mock.timers.tick(2 * 60_000)
    assert.equal(drafts.savedRegistration('letter'), undefined)
    assert.deepEqual(Object.keys(sessionStorage), [], 'nothing of the person is left')
  })
})
