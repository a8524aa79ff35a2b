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

test("a school's link shows the school but never its access code [spec 2.3.1 7.12]", async () => {
  const { school, id, code } = await aLinkedSchool(server)
  const body = await server.ask(getUserDetailsByUid, { GUID: id })
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

test('an unknown, revoked or missing link is answered with the sentence about invalid links [spec 7.12 8.5]', async () => {
  const { id } = await aLinkedSchool(server)
  await changeRows('school_links', { id }, { revoked_at: aDay })
  for (const query of [{ GUID: id }, { GUID: 'nobody-s-link' }, { GUID: '' }, {}]) {
    const { status, body } = await server.send(getUserDetailsByUid, { query })
    assert.equal(status, 200)
    assert.equal(body.result, 'error')
    assert.match(body.message, /^Oops! The link is invalid\. Try scanning the QR code you downloaded/)
  }
})

test('an access code is accepted however it is typed; a wrong one proves nothing [spec 5.24 8.6]', async () => {
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

test('a person who enters the code e-mailed to their address gets an account without a school [spec 1.2 7.15]', async () => {
  const { emailId } = await aRegistered(server)
  const { body } = await server.call(login, { body: { emailId, password: aPassword } })
  assert.equal(body.result, 'success')
  assert.equal(body.userDetails.schId, 0)
  assert.equal(body.userDetails.teacherId, 0)
  assert.equal(body.userDetails.state, 'none')
  assert.equal(body.userDetails.userName, 'Farida Udaharan')
})

test("the first person with a school's access code becomes its coordinator and is told when a second joins", async () => {
  const link = await aLinkedSchool(server)
  const first = await aRegistered(server, { schId: link.school.id }, link)
  const second = await aRegistered(server, { schId: link.school.id, userName: 'Zoya Kalpanik' }, link)
  const users = await findRows('users', { school_id: link.school.id }, ['email', 'coordinator'], 'id')
  assert.deepEqual(users, [
    { email: first.emailId, coordinator: true },
    { email: second.emailId, coordinator: false },
  ])
  const mails = await mailsTo(server, first.emailId)
  assert.ok(mails.some(({ subject }) => subject === 'Zoya Kalpanik has joined your school'))
})

test('who joins a school with its access code becomes coordinator if no one else of it can sign in', async () => {
  const link = await aLinkedSchool(server)
  const first = await aRegistered(server, { schId: link.school.id }, link)
  await changeRows('users', { email: first.emailId }, { disabled_at: aDay, coordinator: false })
  const second = await aRegistered(server, { schId: link.school.id }, link)
  assert.equal((await findRow('users', { email: second.emailId })).coordinator, true)
})

test('no one registers an address that was not verified in the same browser [spec 7.15]', async () => {
  const emailId = anAddress()
  await aProvedBrowser(server, emailId)
  await server.refuses('account.email_not_proved', register, { ...aForm, emailId })
  const cookies = await aProvedBrowser(server, anAddress())
  await server.refuses('account.email_not_proved', register, { ...aForm, emailId }, { cookies })
  const unsolved = new Map<string, string>()
  await server.ask(emailVerify, { EmailId: emailId }, { cookies: unsolved })
  await server.refuses('account.email_not_proved', register, { ...aForm, emailId }, { cookies: unsolved })
  assert.deepEqual(await findRows('users', { email: emailId }, ['id']), [])
})

test('no one joins a school without the access code of that very school [spec 7.15]', async () => {
  const [link, other] = [await aLinkedSchool(server), await aLinkedSchool(server)]
  const emailId = anAddress()
  const cookies = await aProvedBrowser(server, emailId)
  const body = { ...aForm, emailId, schId: link.school.id }
  await server.refuses('account.school_not_proved', register, body, { cookies })
  await server.ask(verifyAccessCode, { id: other.id, code: other.code }, { cookies })
  await server.refuses('account.school_not_proved', register, body, { cookies })
})

test('a verified address makes one account, within half an hour', async () => {
  const { emailId, cookies } = await aRegistered(server)
  await server.refuses('account.email_not_proved', register, { ...aForm, emailId }, { cookies })
  const late = await aProvedBrowser(server, anAddress())
  now = minutes(31)
  const answer = await server.call(register, { body: { ...aForm, emailId } }, { cookies: late })
  now = aDay
  assert.equal(answer.body.code, 'account.email_not_proved')
})

test('of four simultaneous registrations of one verified address, one makes an account', async () => {
  const emailId = anAddress()
  const cookies = await aProvedBrowser(server, emailId)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      server.call(register, { body: { ...aForm, emailId } }, { cookies: new Map(cookies) }),
    ),
  )
  assert.equal(answers.filter(({ body }) => body.result === 'success').length, 1)
})

test("the registration form requires every field, in the specification's words [spec 2.4.2]", async () => {
  const emailId = anAddress()
  const cookies = await aProvedBrowser(server, emailId)
  const empty = await server.send(register, { body: { emailId, disclaimer: false } }, { cookies })
  const messages = new Map(empty.body.issues?.map(({ path, message }) => [path, message]))
  assert.equal(empty.status, 400)
  assert.equal(messages.get('userName'), 'Name is required')
  assert.equal(messages.get('mobile'), 'Mobile No is required')
  assert.equal(messages.get('genderType'), 'Gender is required')
  assert.equal(messages.get('password'), 'Password is required')
  assert.equal(messages.get('rePassword'), 'Re Enter Password is required')
  assert.equal(messages.get('designation'), 'You are a required')
  assert.equal(messages.get('disclaimer'), 'Please accept the terms and conditions')
  const noPlace = { ...aForm, emailId, city: '', state: '', country: '', pinCode: '' }
  const withoutPlace = await server.call(register, { body: noPlace }, { cookies })
  assert.deepEqual(pathsOf(withoutPlace.body), ['city', 'country', 'pinCode', 'state'])
  assert.ok(withoutPlace.body.issues?.some(({ message }) => message === 'Pin Code is required'))
})

test('numbers may contain spaces and the digits of an Indian keyboard', async () => {
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
  const user = await findRow('users', { email: emailId }, ['pin_code', 'mobile'])
  assert.deepEqual(user, { pin_code: '560001', mobile: '9000000077' })
})

test("a registration with a school's access code needs no location [spec 2.4.3]", async () => {
  const link = await aLinkedSchool(server)
  await aRegistered(server, { schId: link.school.id, city: '', state: '', country: '', pinCode: '' }, link)
})

const refused = [
  ['a short password', { password: 'Tam-42x', rePassword: 'Tam-42x' }, 'password', 'At least 8 characters.'],
  [
    'a common password',
    { password: 'Sunshine!1', rePassword: 'Sunshine!1' },
    'password',
    'This password is easy to guess. Please choose another one.',
  ],
  [
    'a word of the portal as password',
    { password: 'Olympiad@2026', rePassword: 'Olympiad@2026' },
    'password',
    'This password is easy to guess. Please choose another one.',
  ],
  [
    'the name as password',
    { password: 'farida.1987', rePassword: 'farida.1987' },
    'password',
    'This password is easy to guess. Please choose another one.',
  ],
  [
    'two different passwords',
    { rePassword: `${aPassword}x` },
    'rePassword',
    'The two passwords are not the same.',
  ],
  ['an unknown state', { state: 'Kalpana' }, 'state', 'Please choose a state from the list.'],
  ['a foreign pin code', { pinCode: '012345' }, 'pinCode', 'Enter a valid pin code.'],
  [
    'a pin code with a space in the wrong place',
    { pinCode: '56 0001' },
    'pinCode',
    'Enter a valid pin code.',
  ],
  ['a short mobile number', { mobile: '12345' }, 'mobile', 'Enter valid mobile no.'],
] as const
for (const [what, change, path, message] of refused) {
  test(`a registration is refused with ${what} [spec 5.7 5.8]`, async () => {
    const emailId = anAddress()
    const cookies = await aProvedBrowser(server, emailId)
    const answer = await server.call(register, { body: { ...aForm, emailId, ...change } }, { cookies })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.issues, [{ path, message }])
    const corrected = await server.call(register, { body: { ...aForm, emailId } }, { cookies })
    assert.equal(corrected.body.result, 'success', 'the proof survives a correction')
  })
}

test('after five wrong guesses the right one-time password is refused too; a new one works [spec 4.3 7.14 8.7]', async () => {
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

test('of 200 simultaneous guesses at a one-time password, five count', async () => {
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

test('a client without cookies verifies an address by code and registers with the proof it receives [spec 7.14]', async () => {
  const EmailId = anAddress()
  await server.ask(emailVerifyGet, { EmailId })
  const otp = await codeFor(server, EmailId)
  const proved = await server.call(otpVerifyGet, { query: { EmailId, otp } })
  assert.equal(proved.body.message, 'OTP is verified')
  const { proof } = proved.body
  await server.refuses('account.email_not_proved', register, { ...aForm, emailId: EmailId })
  await server.refuses('account.email_not_proved', register, { ...aForm, emailId: anAddress(), proof })
  const made = await server.ask(register, { ...aForm, emailId: EmailId, proof })
  assert.equal(made.userDetails.emailId, EmailId)
  const own = await server.ask(me, {}, made)
  assert.equal(own.userDetails.userName, 'Farida Udaharan')
  const twice = await server.call(otpVerifyGet, { query: { EmailId, otp } })
  assert.equal(twice.body.message, 'Invalid Otp')
})

test("guesses from elsewhere have five tries of their own and use up none of the browser's", async () => {
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

test('a one-time password works once, for its own address, within ten minutes', async () => {
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

test('a new one-time password invalidates the previous one [spec 2.4.1 4.2]', async () => {
  const EmailId = anAddress()
  const [first, second] = [new Map<string, string>(), new Map<string, string>()]
  await server.ask(emailVerify, { EmailId }, { cookies: first })
  const otp = await codeFor(server, EmailId)
  await server.ask(emailVerify, { EmailId }, { cookies: second })
  const old = await server.call(otpVerify, { body: { EmailId, otp } }, { cookies: first })
  assert.equal(old.body.message, 'Invalid Otp')
})

test('the specified GET calls send and verify a one-time password too [spec 7.13 7.14]', async () => {
  const EmailId = anAddress()
  const cookies = new Map<string, string>()
  const sent = await server.ask(emailVerifyGet, { EmailId }, { cookies })
  assert.equal(sent.resendIn, 45)
  const otp = await codeFor(server, EmailId)
  const right = await server.call(otpVerifyGet, { query: { EmailId, otp } }, { cookies })
  assert.equal(right.body.message, 'OTP is verified')
})

test('an address with an account gets the same answer and, instead of a code, an e-mail that says so', async () => {
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
