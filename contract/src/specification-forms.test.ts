import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schoolDetailForm, signInForm } from './accounts/schemas.ts'
import type { Schema } from './endpoint.ts'
import { contactForm } from './schools/calls-contacts.ts'

/** The forms whose schema is the contract's own, empty: the first sentence of each field is the one that is shown. */
function said(schema: Schema, values: object) {
  const read = schema.safeParse(values)
  const shown: Record<string, string> = {}
  if (!read.success) for (const { path, message } of read.error.issues) shown[path.join('.')] ??= message
  return shown
}

const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))

test('the empty form of the sign-in [spec 5.1]', () => {
  assert.deepEqual(said(signInForm, empty('emailId', 'password')), {
    emailId: 'Email-Id is required',
    password: 'Password is required',
  })
})

test('the empty form of the school details [spec 5.9]', () => {
  const names = ['schName', 'schAddress', 'city', 'country', 'state', 'district', 'pinCode', 'mobile']
  assert.deepEqual(said(schoolDetailForm, empty(...names)), {
    schName: 'School name is required',
    schAddress: 'Address is required',
    city: 'City is required',
    country: 'Country is required',
    state: 'State is required',
    district: 'District is required',
    pinCode: 'Pin code is required',
    mobile: 'Phone is required',
  })
})

test('the empty form of a contact [spec 5.20]', () => {
  const values = { desgId: 0, titleId: 0, ...empty('name', 'email', 'altEmail', 'mobile', 'altmobile') }
  assert.deepEqual(said(contactForm, values), {
    desgId: 'Designation is required.',
    titleId: 'Title is required.',
    name: 'Contact Name is required.',
    email: 'E-mail is required.',
    mobile: 'Enter valid mobile no.',
  })
})

test('a pin code that no place has is said beside what is missing', () => {
  const values = {
    ...empty('schName', 'city', 'state', 'district', 'mobile', 'schAddress'),
    country: 'India',
  }
  const shown = (pinCode: string) => said(schoolDetailForm, { ...values, pinCode })
  assert.deepEqual(
    [shown('41 1001').pinCode, shown('41 1001').city],
    ['Enter a valid pin code.', 'City is required'],
  )
  assert.equal(shown('411 001').pinCode, undefined)
})
