import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { stubBrowser } from '#shell/test-browser.ts'
import { emptyValues, freeSchema, linkedSchema } from './register-values.ts'

/** Returns the error of each field of the empty form; the first one of a field is the one shown. */
function said(schema: typeof freeSchema | typeof linkedSchema, values = emptyValues) {
  const read = schema.safeParse(values)
  const shown: Record<string, string> = {}
  if (!read.success) for (const { path, message } of read.error.issues) shown[path.join('.')] ??= message
  return shown
}

const always = {
  userName: 'Name is required',
  address: 'Address is required',
  mobile: 'Mobile No is required',
  genderType: 'Gender is required',
  password: 'Password is required',
  rePassword: 'Re Enter Password is required',
  designation: 'You are a required',
  disclaimer: 'Please accept the terms and conditions',
}

test('an empty registration form reports every field as required, and has India chosen [spec 5.5]', () => {
  assert.deepEqual(said(freeSchema), {
    ...always,
    state: 'State is required',
    city: 'City is required',
    pinCode: 'Pin Code is required',
  })
  assert.equal(said(freeSchema, { ...emptyValues, country: '' }).country, 'Country is required')
})

test("with a school's link the form asks nothing about the place [spec 2.4.3]", () => {
  assert.deepEqual(said(linkedSchema), always)
})

describe('a registration under way', () => {
  let drafts: typeof import('./register-draft.ts')
  let restore: () => void
  before(async () => {
    restore = stubBrowser()
    mock.timers.enable({ apis: ['Date'], now: 0 })
    drafts = await import('./register-draft.ts')
  })
  after(() => {
    mock.timers.reset()
    restore()
  })

  test('is restored only by its own link, and for half an hour', () => {
    const lata = { id: 'letter', at: 'form', email: 'lata@teachers.example', name: '' } as const
    drafts.saveRegistration(lata)
    mock.timers.tick(29 * 60_000)
    assert.equal(drafts.savedRegistration('another'), undefined)
    assert.equal(drafts.savedRegistration('letter')?.email, lata.email)
    mock.timers.tick(2 * 60_000)
    assert.equal(drafts.savedRegistration('letter'), undefined)
    assert.deepEqual(Object.keys(sessionStorage), [], 'nothing of the person is left')
  })
})
