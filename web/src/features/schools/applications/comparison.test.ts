import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Application, LikelySchool } from '@podium/contract/schools/calls-applications'
import { compareField, differingFields, findSameNumber } from './comparison.ts'

const said = {
  schName: "St. Misaal's School",
  address: '4 Udaharan Street',
  city: 'Namunapur',
  district: 'Namunapur',
  state: 'Karnataka',
  pinCode: '560099',
  phone: '+91 90000 00001',
  udiseCode: '29010100101',
  affiliationNo: '',
}
const application: Application = {
  ...said,
  id: 1,
  version: 1,
  country: 'India',
  reviewState: 'submitted',
  reason: '',
  submittedAt: '2026-11-20T06:00:00.000Z',
  decidedAt: null,
  question: '',
  askedAt: null,
  askedBy: '',
  answer: '',
  answeredAt: null,
  assignee: null,
  applicantName: 'Udaya Kalpanik',
  applicantEmail: 'udaya@teachers.example',
  applicantMobile: '9000000002',
  applicantDesignation: 'Teacher',
}
const known: LikelySchool = { ...said, schId: 7, schCode: 'SMS0007', staffCount: 2, same: ['udise'] }

test('case, full stops and a country code make no difference', () => {
  const spelt = { ...known, schName: 'ST MISAAL S SCHOOL', phone: '09000000001' }
  assert.equal(compareField('schName', application, spelt), 'same')
  assert.equal(compareField('phone', application, spelt), 'same')
})

test('another pin code differs, and is named among the differing fields', () => {
  assert.deepEqual(differingFields(application, { ...known, pinCode: '560098' }), ['pinCode'])
})

test('a field that only one of the two schools has is neither the same nor different', () => {
  assert.equal(compareField('affiliationNo', application, { ...known, affiliationNo: 'KA-12' }), 'unknown')
})

test('a school with the same UDISE code or affiliation number is the one to link to; a similar name and place is not', () => {
  const near: LikelySchool = { ...known, schId: 8, same: ['name', 'pin', 'phone'] }
  assert.equal(findSameNumber([near, known])?.schId, 7)
  assert.equal(findSameNumber([{ ...near, same: ['pin', 'affiliation'] }])?.schId, 8)
  assert.equal(findSameNumber([near]), undefined)
})
