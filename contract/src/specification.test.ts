import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providers } from './accounts/calls.ts'
import { designations, registerForm } from './accounts/calls-registration.ts'
import { phone, schoolDetailForm, signInForm } from './accounts/schemas.ts'
import { india, indiaId } from './catalogue/calls-places.ts'
import { bookKindsOf, bookNames, classes, isLittleStarClass, littleStarLetters, sections } from './classes.ts'
import type { Schema } from './endpoint.ts'
import { errors } from './errors.ts'
import { messages } from './messages.ts'
import { paymentSubmission } from './payments/schemas.ts'
import { chapters } from './questions/calls.ts'
import { resultActions, searchResults } from './results/calls.ts'
import { contactForm } from './schools/calls.ts'
import { formatDay, istTime, seasonAt, seasonsUpTo } from './season.ts'
import { studentEntry } from './students/schemas.ts'

/** The constants and sentences of the specification (sections 5, 8, 9), transcribed; the contract has each once. */

const instant = (text: string) => new Date(text)

test('a season is a financial year in India from April to March, labelled like 2025-26 [spec 4.18 9.2]', () => {
  assert.equal(seasonAt(instant('2026-03-31T18:29:59Z')), '2025-26')
  assert.equal(seasonAt(instant('2026-03-31T18:30:00Z')), '2026-27')
  assert.equal(seasonAt(instant('2100-01-01T00:00:00Z')), '2099-00')
})

test('the list of years starts at 2024 and runs to the current one [spec 9.2]', () => {
  assert.deepEqual(seasonsUpTo(instant('2026-11-21T06:00:00Z')), ['2026-27', '2025-26', '2024-25'])
  assert.deepEqual(seasonsUpTo(instant('2025-01-21T06:00:00Z')), ['2024-25'])
})

test('classes are Nursery 15, LKG 13, UKG 14 and Class 1 to 12, and classes of 13 or higher are little stars [spec 3.4 9.8]', () => {
  const ids = Object.fromEntries(classes.map(({ className, classId }) => [className, classId]))
  const upper = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`Class ${i + 1}`, i + 1]))
  assert.deepEqual(ids, { Nursery: 15, LKG: 13, UKG: 14, ...upper })
  const little = classes.filter(({ classId }) => isLittleStarClass(classId))
  assert.deepEqual(
    little.map(({ className }) => className),
    ['Nursery', 'LKG', 'UKG'],
  )
  assert.deepEqual(littleStarLetters, ['A', 'B', 'C', 'J'])
})

test('sections are a dash and A to Z [spec 3.5]', () => {
  assert.equal(sections.join(''), '-ABCDEFGHIJKLMNOPQRSTUVWXYZ')
})

test('little stars have text and work books, the others their three kinds, under the names of the screens [spec 2.9.9 3.3]', () => {
  const names = (classId: number) => bookKindsOf(classId).map((kind) => bookNames[kind])
  assert.deepEqual(names(13), ['Text Book', 'Work Book'])
  assert.deepEqual(names(12), ['Comprehensive Book', 'Previous Test Paper', 'Olympiad Excellence Guide'])
})

test('there are 500 chapters, Chapter01 to Chapter500 [spec 3.6 9.7]', () => {
  assert.deepEqual(
    [chapters.length, chapters[0], chapters[8], chapters[99], chapters.at(-1)],
    [500, 'Chapter01', 'Chapter09', 'Chapter100', 'Chapter500'],
  )
})

test('gender is 1 for Male and 2 for Female, and a user is a Teacher, Parent or School [spec 6.1 9.4]', () => {
  const takes = (genderType: unknown) => registerForm.shape.genderType.safeParse(genderType).success
  assert.deepEqual([0, 1, 2, 3, '1'].map(takes), [false, true, true, false, false])
  assert.deepEqual(designations, ['Teacher', 'Parent', 'School'])
})

test('country 1 is India [spec 9.5]', () => {
  assert.deepEqual([indiaId, india], [1, 'India'])
})

test("the mode of a payment is 3 and a student's currency is INR [spec 9.10]", () => {
  const { mode } = paymentSubmission.shape
  assert.deepEqual([mode.safeParse(3).success, mode.safeParse(1).success], [true, false])
  const { currency } = studentEntry.shape
  assert.deepEqual([currency.safeParse('INR').success, currency.safeParse('USD').success], [true, false])
})

test('the medal list sends 2, prizes 3 and awards 5, and view result sends none [spec 2.12.1 9.13]', () => {
  assert.deepEqual(resultActions, { all: undefined, medal: 2, prize: 3, award: 5 })
})

test('a result search is for level 1 and all classes by default [spec 5.19 9.12]', () => {
  const { examLevel, classId } = searchResults.body.parse({
    fyear: '2026-27',
    eventYearId: 1,
    eventLetter: 'M',
  })
  assert.deepEqual([examLevel, classId], [1, 0])
  const levels = [0, 1, 2, 3].map((level) => searchResults.body.shape.examLevel.safeParse(level).success)
  assert.deepEqual(levels, [false, true, true, false])
})

test('a mobile number has 10 to 12 digits [spec 9.1]', () => {
  const mobile = phone(messages.mobileRequired)
  const fits = (digits: number) => mobile.safeParse('9'.repeat(digits)).success
  assert.deepEqual([9, 10, 11, 12, 13].map(fits), [false, true, true, true, false])
})

test('a day is shown as dd-MMM-yyyy and a time as hh:mm a, in the +0530 zone [spec 9.15]', () => {
  assert.equal(formatDay('2026-11-05'), '05-Nov-2026')
  assert.equal(istTime(instant('2026-11-05T18:35:00Z')), '12:05 AM')
})

test('there are two providers of social sign-in [spec 1.4]', () => {
  assert.deepEqual(providers, ['google', 'facebook'])
})

/** All sentences that sections 2, 5 and 8 quote, to the letter. */
const quoted = [
  'To access dashboard, please proceed with school registration by clicking here',
  'Your account verification is in progress which may take up to 2 business days',
  'Do you want delete book order',
  'Payment verification is pending from the foundation.',
  'Currently, there are no contacts to display. Please Add New Entry',
  'Status Code is verified',
  'Invalid Otp',
  'Email-Id is required',
  'Invalid email-Id.',
  'Password is required',
  'Access Code is required',
  'Please enter email id',
  'Otp is required',
  'Name is required',
  'Pin Code is required',
  'Mobile No is required',
  'Gender is required',
  'Re Enter Password is required',
  'You are a required',
  'Please accept the terms and conditions',
  'Accept the terms & services to register',
  'Pin code is required',
  'Phone is required',
  'Class is required.',
  'Section is required.',
  'Roll No is required.',
  'Student Name is required.',
  'Subject is required.',
  'Payment Date is required',
  'Attechment is required',
  'Remarks is required',
  'Subject is required',
  'Designation is required.',
  'Title is required.',
  'Contact Name is required.',
  'E-mail is required.',
  'Enter valid E-mail.',
  'Enter valid mobile no.',
  'Please select Exam date.',
  'Oops! The link is invalid. Try scanning the QR code you downloaded and tap the link',
  'Invalid Status Code',
  'OTP is verified',
  'Details saved sucessfully',
  'Quantity is required.',
  'Enter a valid 10-digit mobile number.',
  'Mobile number is required.',
  'Enter a valid email address.',
  'Failed',
  'Access Code verified successfully',
  'Login provider not found',
  'Not logged in',
  'Login providers not ready yet',
  'User cancelled login or did not fully authorize.',
]

test('every sentence that the specification quotes is in the contract, letter for letter [spec 2.5.1 2.8.2 2.14.6 8.4 8.15]', () => {
  const known = new Set<string>([
    ...Object.values(messages),
    ...Object.values(errors).map(({ sentence }) => sentence),
  ])
  assert.deepEqual(
    quoted.filter((sentence) => !known.has(sentence)),
    [],
  )
})

/** Returns the first message of each field for given values, which is the one forms show. */
function issuesOf(schema: Schema, values: object) {
  const read = schema.safeParse(values)
  const shown: Record<string, string> = {}
  if (!read.success) for (const { path, message } of read.error.issues) shown[path.join('.')] ??= message
  return shown
}

const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))

test('the empty sign-in form reports every required field [spec 5.1]', () => {
  assert.deepEqual(issuesOf(signInForm, empty('emailId', 'password')), {
    emailId: 'Email-Id is required',
    password: 'Password is required',
  })
})

test('the empty form of school details reports every required field [spec 5.9]', () => {
  const names = ['schName', 'schAddress', 'city', 'country', 'state', 'district', 'pinCode', 'mobile']
  assert.deepEqual(issuesOf(schoolDetailForm, empty(...names)), {
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

test('the empty contact form reports every required field [spec 5.20]', () => {
  const values = { desgId: 0, titleId: 0, ...empty('name', 'email', 'altEmail', 'mobile', 'altmobile') }
  assert.deepEqual(issuesOf(contactForm, values), {
    desgId: 'Designation is required.',
    titleId: 'Title is required.',
    name: 'Contact Name is required.',
    email: 'E-mail is required.',
    mobile: 'Enter valid mobile no.',
  })
})

test('an unknown pin code is reported together with the missing fields', () => {
  const values = {
    ...empty('schName', 'city', 'state', 'district', 'mobile', 'schAddress'),
    country: 'India',
  }
  const shown = (pinCode: string) => issuesOf(schoolDetailForm, { ...values, pinCode })
  assert.deepEqual(
    [shown('41 1001').pinCode, shown('41 1001').city],
    ['Enter a valid pin code.', 'City is required'],
  )
  assert.equal(shown('411 001').pinCode, undefined)
  const ofCode = (udiseCode: string) =>
    issuesOf(schoolDetailForm, { ...values, udiseCode, pinCode: '411001' }).udiseCode
  assert.deepEqual(
    [ofCode('0812 3456 789'), ofCode('0812 3456 78')],
    [undefined, 'A UDISE code has 11 digits.'],
  )
})

/** Of the codes with other statuses than 400 and 409; those of 200 are outcomes of specified calls (section 8). */
const statuses = {
  200: `account.bad_link account.school_inactive account.wrong_otp account.wrong_sign_in account.wrong_status_code
    colleagues.disabled colleagues.elsewhere colleagues.invitation_over colleagues.known families.wrong_code
    office.set_up_over office.step_over office.wrong_code office.wrong_sign_in staff.invite_over`,
  401: 'account.no_social_ticket session.ended session.missing session.reused',
  403: `access.acting access.denied access.no_school access.not_coordinator access.other_school access.school_inactive
    account.change_own job.asker_gone mails.address_search next_level.same_person notes.not_own payments.own refund.own
    request.cross_site results.same_person second.too_new session.confirm signoff.not_coordinator
    students.mobile_search views.share waivers.by_office waivers.own`,
  404: 'not_found',
  413: 'file.too_large logo.too_large request.too_large sheet.too_large',
  422: 'file.no_preview request.repeated_differently',
  429: 'request.too_many',
  500: 'internal',
  503: 'busy database_away file.not_looked_at file.store_away',
}

test('each refusal keeps the status that other programs rely on', () => {
  const codes = Object.keys(errors) as (keyof typeof errors)[]
  const others = codes.filter((code) => ![400, 409].includes(errors[code].status))
  const expected = Object.entries(statuses).flatMap(([status, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(status)]),
  )
  assert.deepEqual(others.map((code) => [code, errors[code].status]).sort(), expected.sort())
})
