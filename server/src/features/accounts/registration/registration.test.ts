import assert from 'node:assert/strict'
import { test } from 'node:test'
import { login, me } from '@podium/contract/accounts/calls'
import {
  emailVerify,
  emailVerifyGet,
  getUserDetailsByUid,
  otpVerify,
  otpVerifyGet,
  register,
  verifyAccessCode,
} from '@podium/contract/accounts/calls-registration'
import {
  aForm,
  aLinkedSchool,
  anAccount,
  anAddress,
  aPassword,
  aProvedBrowser,
  aRegistered,
  codeFor,
} from '#test/accounts-factories'
import { aDay } from '#test/factories'
import { changeRows, findRow, findRows } from '#test/rows'
import { beforehand, mailsTo, testServer } from '#test/server'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))

const minutes = (count: number) => new Date(aDay.getTime() + count * 60_000)
const pathsOf = (body: { issues?: Array<{ path: string }> | undefined }) =>
  body.issues?.map(({ path }) => path).sort()

test('the banner of a link names its school and never its access code [spec 2.3.1 7.12]', async () => {
  const { school, id, code } = await aLinkedSchool(server)
  const { body } = await server.call(getUserDetailsByUid, { query: { GUID: id } })
  assert.deepEqual(body.data, [
    {
      id: school.id,
      schName: school.name,
      schAddress: school.address,
      cityName: school.city,
      stateName: school.state,
      schPinCode: school.pin_code,
      countryName: 'India',
      accessCode: '',
    },
  ])
  assert.doesNotMatch(JSON.stringify(body), new RegExp(code))
})

test('an unknown link, a revoked one and none get the sentence about invalid links [spec 7.12 8.5]', async () => {
  const { id } = await aLinkedSchool(server)
  await changeRows('school_links', { id }, { revoked_at: aDay })
  for (const query of [{ GUID: id }, { GUID: 'nobody-s-link' }, { GUID: '' }, {}]) {
    const { status, body } = await server.send(getUserDetailsByUid, { query })
    assert.equal(status, 200)
    assert.equal(body.result, 'error')
    assert.match(body.message, /^Oops! The link is invalid\. Try scanning the QR code you downloaded/)
  }
})

test('an access code is accepted however it is typed, a wrong one leaves no proof [spec 5.24 8.6]', async () => {
  const { id, code } = await aLinkedSchool(server)
  const typed = `${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `
  const cookies = new Map<string, string>()
  const right = await server.call(verifyAccessCode, { body: { id, code: typed } }, { cookies })
  assert.equal(right.body.message, 'Status Code is verified')
  assert.match(
    right.headers.getSetCookie().join(),
    /podium-school=.{43}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax/,
  )
  const wrong = await server.call(verifyAccessCode, { body: { id, code: 'WRONG234' } })
  assert.deepEqual(
    [wrong.status, wrong.body.result, wrong.body.message],
    [200, 'error', 'Invalid Status Code'],
  )
  assert.deepEqual(wrong.headers.getSetCookie(), [])
})

test('an address and a code sent by mail lead to an account without a school [spec 1.2 7.15]', async () => {
  const { emailId } = await aRegistered(server)
  const { body } = await server.call(login, { body: { emailId, password: aPassword } })
  assert.equal(body.result, 'success')
  assert.equal(body.userDetails.schId, 0)
  assert.equal(body.userDetails.teacherId, 0)
  assert.equal(body.userDetails.state, 'none')
  assert.equal(body.userDetails.userName, 'Farida Udaharan')
})

test('the access code of a school makes the first person its coordinator, the second not, and the first is told', async () => {
  const link = await aLinkedSchool(server)
  const first = await aRegistered(server, { schId: link.school.id }, link)
  const second = await aRegistered(server, { schId: link.school.id, userName: 'Zoya Kalpanik' }, link)
  const users = await findRows('users', { school_id: link.school.id }, ['email', 'coordinator'], 'id')
  assert.deepEqual(users, [
    { email: first.emailId, coordinator: true },
    { email: second.emailId, coordinator: false },
  ])
  const told = await mailsTo(server, first.emailId)
  assert.ok(told.some(({ subject }) => subject === 'Zoya Kalpanik has joined your school'))
})

test('nobody registers an address that was not proved in this browser [spec 7.15]', async () => {
  const emailId = anAddress()
  await aProvedBrowser(server, emailId)
  const elsewhere = await server.call(register, { body: { ...aForm, emailId } })
  assert.equal(elsewhere.body.code, 'account.email_not_proved')
  const cookies = await aProvedBrowser(server, anAddress())
  const other = await server.call(register, { body: { ...aForm, emailId } }, { cookies })
  assert.equal(other.body.code, 'account.email_not_proved')
  const unsolved = new Map<string, string>()
  await server.ask(emailVerify, { EmailId: emailId }, { cookies: unsolved })
  const skipped = await server.call(register, { body: { ...aForm, emailId } }, { cookies: unsolved })
  assert.equal(skipped.body.code, 'account.email_not_proved')
  const kept = await findRows('users', { email: emailId }, ['id'])
  assert.deepEqual(kept, [])
})

test('nobody joins a school without its access code, nor another than the one whose code they have [spec 7.15]', async () => {
  const [link, other] = [await aLinkedSchool(server), await aLinkedSchool(server)]
  const emailId = anAddress()
  const cookies = await aProvedBrowser(server, emailId)
  const none = await server.call(
    register,
    { body: { ...aForm, emailId, schId: link.school.id } },
    { cookies },
  )
  assert.equal(none.body.code, 'account.school_not_proved')
  await server.ask(verifyAccessCode, { id: other.id, code: other.code }, { cookies })
  const wrong = await server.call(
    register,
    { body: { ...aForm, emailId, schId: link.school.id } },
    { cookies },
  )
  assert.equal(wrong.body.code, 'account.school_not_proved')
})

test('a proof of an address makes one account, and has an end', async () => {
  const { emailId, cookies } = await aRegistered(server)
  const again = await server.call(register, { body: { ...aForm, emailId } }, { cookies })
  assert.equal(again.body.code, 'account.email_not_proved')
  const late = await aProvedBrowser(server, anAddress())
  now = minutes(31)
  const answer = await server.call(register, { body: { ...aForm, emailId } }, { cookies: late })
  now = aDay
  assert.equal(answer.body.code, 'account.email_not_proved')
})

test('two registrations at once with one proof make one account', async () => {
  const emailId = anAddress()
  const cookies = await aProvedBrowser(server, emailId)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      server.call(register, { body: { ...aForm, emailId } }, { cookies: new Map(cookies) }),
    ),
  )
  assert.equal(answers.filter(({ body }) => body.result === 'success').length, 1)
})

test('every field of the form is required, with the words of the specification [spec 2.4.2]', async () => {
  const emailId = anAddress()
  const cookies = await aProvedBrowser(server, emailId)
  const empty = await server.send(register, { body: { emailId, disclaimer: false } }, { cookies })
  const said = new Map(empty.body.issues?.map(({ path, message }) => [path, message]))
  assert.equal(empty.status, 400)
  assert.equal(said.get('userName'), 'Name is required')
  assert.equal(said.get('mobile'), 'Mobile No is required')
  assert.equal(said.get('genderType'), 'Gender is required')
  assert.equal(said.get('password'), 'Password is required')
  assert.equal(said.get('rePassword'), 'Re Enter Password is required')
  assert.equal(said.get('designation'), 'You are a required')
  assert.equal(said.get('disclaimer'), 'Please accept the terms and conditions')
  const nowhere = { ...aForm, emailId, city: '', state: '', country: '', pinCode: '' }
  const placeless = await server.call(register, { body: nowhere }, { cookies })
  assert.deepEqual(pathsOf(placeless.body), ['city', 'country', 'pinCode', 'state'])
  assert.ok(placeless.body.issues?.some(({ message }) => message === 'Pin Code is required'))
})

test('numbers are taken as people write them: with spaces, and in the digits of an Indian keyboard', async () => {
  const emailId = anAddress()
  const cookies = new Map<string, string>()
  await server.ask(emailVerify, { EmailId: emailId }, { cookies })
  const otp = (await codeFor(server, emailId)).replace(/\d/g, (digit) => '०१२३४५६७८९'[Number(digit)] ?? '')
  assert.equal(
    (await server.call(otpVerify, { body: { EmailId: emailId, otp } }, { cookies })).body.result,
    'success',
  )
  const form = { ...aForm, emailId, pinCode: '560 001', mobile: '+९१ ९०००० ०००७७' }
  assert.equal((await server.call(register, { body: form }, { cookies })).body.result, 'success')
  const kept = await findRow('users', { email: emailId }, ['pin_code', 'mobile'])
  assert.deepEqual(kept, { pin_code: '560001', mobile: '9000000077' })
})

test('with the access code of a school no location is asked [spec 2.4.3]', async () => {
  const link = await aLinkedSchool(server)
  await aRegistered(server, { schId: link.school.id, city: '', state: '', country: '', pinCode: '' }, link)
})

const refused = [
  ['short', { password: 'Tam-42x', rePassword: 'Tam-42x' }, 'password', 'At least 8 characters.'],
  [
    'common',
    { password: 'Sunshine!1', rePassword: 'Sunshine!1' },
    'password',
    'This password is easy to guess. Please choose another one.',
  ],
  [
    'a word of the portal',
    { password: 'Olympiad@2026', rePassword: 'Olympiad@2026' },
    'password',
    'This password is easy to guess. Please choose another one.',
  ],
  [
    'the name',
    { password: 'farida.1987', rePassword: 'farida.1987' },
    'password',
    'This password is easy to guess. Please choose another one.',
  ],
  ['typed differently', { rePassword: `${aPassword}x` }, 'rePassword', 'The two passwords are not the same.'],
  ['an unknown state', { state: 'Kalpana' }, 'state', 'Please choose a state from the list.'],
  ['a foreign pin code', { pinCode: '012345' }, 'pinCode', 'Enter a valid pin code.'],
  ['a pin code that is split elsewhere', { pinCode: '56 0001' }, 'pinCode', 'Enter a valid pin code.'],
  ['a short mobile', { mobile: '12345' }, 'mobile', 'Enter valid mobile no.'],
] as const
for (const [what, change, path, message] of refused) {
  test(`a registration is refused for: ${what} [spec 5.7 5.8]`, async () => {
    const emailId = anAddress()
    const cookies = await aProvedBrowser(server, emailId)
    const answer = await server.call(register, { body: { ...aForm, emailId, ...change } }, { cookies })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.issues, [{ path, message }])
    const corrected = await server.call(register, { body: { ...aForm, emailId } }, { cookies })
    assert.equal(corrected.body.result, 'success', 'the proof survives a correction')
  })
}

test('a wrong one-time password is refused five times, then the right one too; a new one works [spec 4.3 7.14 8.7]', async () => {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  await server.ask(emailVerify, { EmailId }, { cookies })
  const otp = await codeFor(server, EmailId)
  const wrong = otp === '000000' ? '000001' : '000000'
  for (let left = 4; left >= 0; left--) {
    const { status, body } = await server.send(otpVerify, { body: { EmailId, otp: wrong } }, { cookies })
    assert.deepEqual([status, body.message, body.triesLeft], [200, 'Invalid Otp', left])
  }
  const late = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies })
  assert.equal(late.body.message, 'Invalid Otp')
  now = minutes(1)
  await server.ask(emailVerify, { EmailId }, { cookies })
  now = aDay
  const fresh = await codeFor(server, EmailId)
  const right = await server.call(otpVerify, { body: { EmailId, otp: fresh } }, { cookies })
  assert.equal(right.body.message, 'OTP is verified')
})

test('of 200 guesses at once at most five count', async () => {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  await server.ask(emailVerify, { EmailId }, { cookies })
  const otp = await codeFor(server, EmailId)
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const guess = String((Number(otp) + 1 + index) % 1_000_000).padStart(6, '0')
      return server.call(otpVerify, { body: { EmailId, otp: guess } }, { cookies: new Map(cookies) })
    }),
  )
  const { tries } = await findRow('tickets', { email: EmailId })
  assert.equal(tries, 5)
  const { body } = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies })
  assert.equal(body.message, 'Invalid Otp')
})

test('a client without cookies proves an address by the code alone, and registers with the proof it is given [spec 7.14]', async () => {
  const EmailId = anAddress()
  await server.ask(emailVerifyGet, { EmailId })
  const otp = await codeFor(server, EmailId)
  const proved = await server.call(otpVerifyGet, { query: { EmailId, otp } })
  assert.equal(proved.body.message, 'OTP is verified')
  const { proof } = proved.body
  const none = await server.call(register, { body: { ...aForm, emailId: EmailId } })
  assert.equal(none.body.code, 'account.email_not_proved')
  const other = await server.call(register, { body: { ...aForm, emailId: anAddress(), proof } })
  assert.equal(other.body.code, 'account.email_not_proved')
  const made = await server.call(register, { body: { ...aForm, emailId: EmailId, proof } })
  assert.equal(made.body.userDetails.emailId, EmailId)
  const own = await server.call(me, {}, made.body)
  assert.equal(own.body.userDetails.userName, 'Farida Udaharan')
  const twice = await server.call(otpVerifyGet, { query: { EmailId, otp } })
  assert.equal(twice.body.message, 'Invalid Otp')
})

test('guesses from elsewhere have five tries of their own, and leave those of the browser', async () => {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  await server.ask(emailVerify, { EmailId }, { cookies })
  const otp = await codeFor(server, EmailId)
  const guesses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      server.send(otpVerify, {
        body: { EmailId, otp: String((Number(otp) + 1 + index) % 1_000_000).padStart(6, '0') },
      }),
    ),
  )
  const left = guesses.map(({ body }) => Number(body.triesLeft)).sort((a, b) => b - a)
  assert.deepEqual(left.slice(0, 5), [4, 3, 2, 1, 0])
  const right = await server.call(otpVerify, { body: { EmailId, otp } })
  assert.equal(right.body.message, 'Invalid Otp')
  const browser = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies })
  assert.deepEqual([browser.body.message, browser.body.proof], ['OTP is verified', ''])
})

test('a one-time password works for its address, once, for ten minutes', async () => {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  await server.ask(emailVerify, { EmailId }, { cookies })
  const otp = await codeFor(server, EmailId)
  const other = await server.call(
    otpVerify,
    { body: { EmailId: anAddress(), otp } },
    { cookies: new Map(cookies) },
  )
  assert.equal(other.body.message, 'Invalid Otp')
  now = minutes(11)
  const late = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies: new Map(cookies) })
  now = aDay
  assert.equal(late.body.message, 'Invalid Otp')
  const right = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies: new Map(cookies) })
  assert.equal(right.body.result, 'success')
  const twice = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies })
  assert.equal(twice.body.message, 'Invalid Otp')
})

test('asking again makes the one-time password before void [spec 2.4.1 4.2]', async () => {
  const EmailId = anAddress()
  const [first, second] = [new Map<string, string>(), new Map<string, string>()]
  await server.ask(emailVerify, { EmailId }, { cookies: first })
  const otp = await codeFor(server, EmailId)
  await server.ask(emailVerify, { EmailId }, { cookies: second })
  const old = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies: first })
  assert.equal(old.body.message, 'Invalid Otp')
})

test('the specified GET calls do the same [spec 7.13 7.14]', async () => {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  const sent = await server.call(emailVerifyGet, { query: { EmailId } }, { cookies })
  assert.equal(sent.body.resendIn, 45)
  const otp = await codeFor(server, EmailId)
  const right = await server.call(otpVerifyGet, { query: { EmailId, otp } }, { cookies })
  assert.equal(right.body.message, 'OTP is verified')
})

test('an address with an account gets the same answer, a mail that says so, and no code', async () => {
  const account = await anAccount(server)
  const cookies = new Map<string, string>()
  const unknown = await server.call(emailVerify, { body: { EmailId: anAddress() } })
  const known = await server.call(emailVerify, { body: { EmailId: account.email } }, { cookies })
  assert.equal(known.status, unknown.status)
  assert.deepEqual(known.body, unknown.body)
  const shape = (cookie: string[]) => cookie.join().replace(/=[\w-]{43};/, '=…;')
  assert.equal(shape(known.headers.getSetCookie()), shape(unknown.headers.getSetCookie()))
  const [mail] = await mailsTo(server, account.email)
  assert.equal(mail?.subject, 'You already have an account')
  assert.doesNotMatch(mail?.text ?? '', /\d{6}/)
})
