import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'

/** The browser's storage is stood in for: what is asked here is what comes back out of it, and when no more. */

type Drafts = typeof import('./register-draft.ts')
let drafts: Drafts
const outside = Object.getOwnPropertyDescriptors(globalThis)
const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}

before(async () => {
  const put = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  put('sessionStorage', storage)
  put('localStorage', storage)
  put('document', { documentElement: { dataset: {} } })
  mock.timers.enable({ apis: ['Date'], now: 0 })
  drafts = await import('./register-draft.ts')
})
after(() => {
  mock.timers.reset()
  for (const name of ['sessionStorage', 'localStorage', 'document']) {
    const was = outside[name as keyof typeof outside]
    if (was) Object.defineProperty(globalThis, name, was)
    else Reflect.deleteProperty(globalThis, name)
  }
})

test('a registration under way is found again by its own link alone, and for half an hour', () => {
  const lata = { id: 'letter', at: 'form', email: 'lata@teachers.example', name: '' } as const
  drafts.keepRegistration(lata)
  mock.timers.tick(29 * 60_000)
  assert.equal(drafts.keptRegistration('another'), undefined)
  assert.equal(drafts.keptRegistration('letter')?.email, lata.email)
  mock.timers.tick(2 * 60_000)
  assert.equal(drafts.keptRegistration('letter'), undefined)
  assert.deepEqual([...kept.keys()], [], 'nothing of the person is left')
})
