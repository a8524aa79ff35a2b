import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getSessions,
  login,
  logout,
  logoutEverywhere,
  me,
  saveProfile,
} from '@podium/contract/accounts/calls'
import { getOwnApplication, saveSchoolDetails } from '@podium/contract/accounts/calls-application'
import {
  changePassword,
  forgotPassword,
  forgotPasswordGet,
  resetLink,
  resetPassword,
  verifyAccessCode,
} from '@podium/contract/accounts/calls-registration'
import { getCountry, getState } from '@podium/contract/catalogue/calls-places'
import { sql } from 'kysely'
import { aLinkedSchool, anAccount, anAddress, aPassword } from '#test/accounts-factories'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import { auditLines } from '#test/file-call'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, testServer } from '#test/server'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))

const minutes = (count: number) => new Date(aDay.getTime() + count * 60_000)
const signedIn = async (emailId: string, extra: object = {}) => {
  const { body } = await server.call(login, { body: { emailId, password: aPassword, ...extra } })
  assert.equal(body.result, 'success', body.message)
  return body
}

/** The token in the newest password reset link e-mailed to an address. */
const resetTokenFor = async (address: string) => {
  const [mail] = await mailsTo(server, address)
  return mail?.links[0]?.split('#')[1] ?? ''
}
const newPassword = { password: 'Mango-lantern-7', rePassword: 'Mango-lantern-7' }

test('e-mail and password open a session of the person at their school [spec 1.3 7.10]', async () => {
  const school = await aSchool()
  const account = await anAccount(server, { schoolId: school.id })
  const answer = await signedIn(account.email.toUpperCase())
  assert.deepEqual(
    [answer.userDetails.schId, answer.userDetails.schCode, answer.userDetails.schName],
    [school.id, school.code, school.name],
  )
  const body = await server.ask(me, {}, answer)
  assert.deepEqual(body.userDetails, answer.userDetails)
})

test('a wrong password, an unknown address and a disabled account get the same answer', async () => {
  const account = await anAccount(server)
  const disabled = await anAccount(server, { disabled: true })
  const tries = [
    { emailId: account.email, password: 'not this one' },
    { emailId: anAddress(), password: aPassword },
    { emailId: disabled.email, password: aPassword },
  ]
  for (const body of tries) {
    const answer = await server.call(login, { body })
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { result: 'error', message: 'Invalid e-mail or password.', code: 'account.wrong_sign_in' }],
    )
  }
})

test('staff of an inactive school learn of it at sign-in, and only with the right password', async () => {
  const school = await aSchool()
  const account = await anAccount(server, { schoolId: school.id })
  const { token } = await signedIn(account.email)
  const setActive = (active: boolean) => changeRows('schools', { id: school.id }, { active })
  await setActive(false)
  const attempt = (password: string) => server.call(login, { body: { emailId: account.email, password } })
  assert.deepEqual(
    [(await attempt(aPassword)).body.code, (await attempt('not this one')).body.code],
    ['account.school_inactive', 'account.wrong_sign_in'],
  )
  await server.refuses('access.school_inactive', me, {}, { token })
  await setActive(true)
  await server.ask(me, {}, { token })
})

test('an unknown address takes as long as a wrong password', async () => {
  const account = await anAccount(server)
  const stranger = anAddress()
  const times = { known: [] as number[], unknown: [] as number[] }
  const timeOf = async (emailId: string) => {
    const start = performance.now()
    await server.call(login, { body: { emailId, password: 'not this one' } })
    return performance.now() - start
  }
  // Alternating, so that other load on the machine affects both equally.
  for (let index = 0; index < 15; index++) {
    times.known.push(await timeOf(account.email))
    times.unknown.push(await timeOf(stranger))
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[7] ?? 0
  const [known, unknown] = [median(times.known), median(times.unknown)]
  assert.ok(unknown > known / 3, `${known} ms for a known address, ${unknown} ms for an unknown one`)
})

test("the sign-in form requires e-mail and password, in the specification's words", async () => {
  const { status, body } = await server.send(login, { body: { emailId: '', password: '' } })
  assert.equal(status, 400)
  assert.deepEqual(body.issues, [
    { path: 'emailId', message: 'Email-Id is required' },
    { path: 'password', message: 'Password is required' },
  ])
  const wrong = await server.send(login, { body: { emailId: 'nobody', password: 'x' } })
  assert.match(JSON.stringify(wrong.body.issues), /Invalid email-Id\./)
})

test("each sign-in gets its own token and ends the browser's previous session", async () => {
  const account = await anAccount(server)
  const first = await signedIn(account.email)
  const second = await server.ask(login, { emailId: account.email, password: aPassword }, first)
  assert.notEqual(second.token, first.token)
  assert.equal((await server.call(me, {}, first)).status, 401)
  assert.equal((await server.call(me, {}, second)).status, 200)
})

test('a session ends at sign-out or after half an hour unused; staying signed in lasts fourteen days [spec 2.3.4 4.5]', async () => {
  const account = await anAccount(server)
  const [left, idle, stays] = [
    await signedIn(account.email),
    await signedIn(account.email),
    await signedIn(account.email, { staySignedIn: true }),
  ]
  assert.equal((await server.call(logout, {}, left)).body.result, 'success')
  assert.equal((await server.call(me, {}, left)).status, 401)
  now = minutes(31)
  assert.equal((await server.call(me, {}, idle)).status, 401)
  now = minutes(13 * 24 * 60)
  await server.ask(me, {}, stays)
  now = aDay
})

test('a person sees their own sessions and ends them all by signing out everywhere', async () => {
  const account = await anAccount(server)
  const [here, there] = [await signedIn(account.email), await signedIn(account.email)]
  const body = await server.ask(getSessions, {}, here)
  assert.deepEqual(valuesOf(body.data, 'current').sort(), [false, true])
  await server.ask(logoutEverywhere, {}, here)
  for (const { token } of [here, there]) assert.equal((await server.call(me, {}, { token })).status, 401)
})

test('a disabled account is signed out at once', async () => {
  const account = await anAccount(server)
  const { token } = await signedIn(account.email)
  await changeRows('users', { id: account.id }, { disabled_at: aDay })
  assert.equal((await server.call(me, {}, { token })).status, 401)
})

test("signing in with a school's access code joins the school and approves the pending application", async () => {
  const link = await aLinkedSchool(server)
  const account = await anAccount(server)
  const { token } = await signedIn(account.email)
  await server.ask(saveSchoolDetails, aSchoolForm, { token })
  const cookies = new Map<string, string>()
  await server.ask(verifyAccessCode, { id: link.id, code: link.code }, { cookies })
  const body = { emailId: account.email, password: aPassword, id: link.id }
  const answer = await server.ask(login, body, { cookies })
  assert.deepEqual(
    [answer.userDetails.schId, answer.userDetails.coordinator, answer.userDetails.state],
    [link.school.id, true, 'school'],
  )
  const application = await findRow('applications', { user_id: account.id })
  assert.deepEqual([application.state_of_review, application.school_id], ['approved', link.school.id])
  assert.equal(cookies.has('podium-school'), false)
})

test('neither a link without its code, nor a code left in the browser without its link, joins a school', async () => {
  const link = await aLinkedSchool(server)
  const account = await anAccount(server)
  assert.equal((await signedIn(account.email, { id: link.id })).userDetails.schId, 0)
  const cookies = new Map<string, string>()
  await server.ask(verifyAccessCode, { id: link.id, code: link.code }, { cookies })
  const plain = await server.ask(login, { emailId: account.email, password: aPassword }, { cookies })
  assert.equal(plain.userDetails.schId, 0)
})

test('a person with a school stays there, whichever link they open', async () => {
  const link = await aLinkedSchool(server)
  const own = await aSchool()
  const account = await anAccount(server, { schoolId: own.id })
  const cookies = new Map<string, string>()
  await server.ask(verifyAccessCode, { id: link.id, code: link.code }, { cookies })
  const body = { emailId: account.email, password: aPassword, id: link.id }
  const answer = await server.ask(login, body, { cookies })
  assert.equal(answer.userDetails.schId, own.id)
})

test('social details in the request alone sign no one in [spec 7.10]', async () => {
  const account = await anAccount(server)
  for (const socialMedia of ['GOOGLE', 'facebook']) {
    const body = {
      emailId: account.email,
      password: 'placeholder',
      socialMediaDetails: { socialMedia, name: account.name, photoUrl: 'https://photos.example/1' },
    }
    const { status, body: answer } = await server.call(login, { body })
    assert.deepEqual([status, answer.code], [401, 'account.no_social_ticket'])
  }
})

test('the e-mailed link sets a new password once and ends every session [spec 2.3.5]', async () => {
  const account = await anAccount(server)
  const { token: session } = await signedIn(account.email)
  await server.ask(forgotPassword, { emailId: account.email })
  const token = await resetTokenFor(account.email)
  const weak = { token, password: 'password1', rePassword: 'password1' }
  assert.equal((await server.call(resetPassword, { body: weak })).status, 400)
  const works = async () => (await server.call(resetLink, { body: { token } })).body.code ?? 'works'
  assert.equal(await works(), 'works')
  const body = { token, ...newPassword }
  assert.equal((await server.call(resetPassword, { body })).body.result, 'success')
  assert.equal(await works(), 'account.reset_expired')
  await server.refuses('account.reset_expired', resetPassword, body)
  assert.equal((await server.call(me, {}, { token: session })).status, 401)
  const old = await server.call(login, { body: { emailId: account.email, password: aPassword } })
  assert.equal(old.body.result, 'error')
  const fresh = await server.call(login, { body: { emailId: account.email, password: body.password } })
  assert.equal(fresh.body.result, 'success')
})

test('a sign-in whose password is replaced while it is being checked opens no session', async () => {
  const account = await anAccount(server)
  const replacing = sql`update users set password_hash = 'x' where id = ${account.id}`
  const [answer] = await whileHeld(replacing, [
    () => server.call(login, { body: { emailId: account.email, password: aPassword } }),
  ])
  assert.equal(answer?.body.code, 'account.wrong_sign_in')
  assert.deepEqual(await findRows('sessions', { user_id: account.id }), [])
})

test('a password reset link expires after half an hour, or when another is requested', async () => {
  const account = await anAccount(server)
  await server.ask(forgotPasswordGet, { emailId: account.email })
  const token = await resetTokenFor(account.email)
  const body = { token, ...newPassword }
  now = minutes(31)
  const late = await server.call(resetPassword, { body })
  now = aDay
  assert.equal(late.body.code, 'account.reset_expired')
  await server.ask(forgotPassword, { emailId: account.email })
  await server.refuses('account.reset_expired', resetPassword, body)
})

test('a forgotten password is answered alike for known, unknown and disabled addresses; an empty one is refused [spec 2.3.5 7.11]', async () => {
  const [account, disabled] = [await anAccount(server), await anAccount(server, { disabled: true })]
  const unknown = anAddress()
  const answers = await Promise.all(
    [account.email, disabled.email, unknown].map((emailId) =>
      server.call(forgotPassword, { body: { emailId } }),
    ),
  )
  assert.deepEqual(answers[1]?.body, answers[0]?.body)
  assert.deepEqual(answers[2]?.body, answers[0]?.body)
  const [mail] = await mailsTo(server, unknown)
  assert.equal(mail?.subject, 'There is no account with this address')
  const empty = await server.call(forgotPasswordGet, { query: { emailId: '' } })
  assert.deepEqual([empty.status, empty.body.message], [400, 'Please enter email id'])
})

test('changing a password takes the current one and ends all other sessions', async () => {
  const account = await anAccount(server)
  const [here, there] = [await signedIn(account.email), await signedIn(account.email)]
  const wrong = await server.call(
    changePassword,
    { body: { currentPassword: 'a guess', ...newPassword } },
    here,
  )
  assert.equal(wrong.body.issues?.[0]?.path, 'currentPassword')
  const right = await server.call(
    changePassword,
    { body: { currentPassword: aPassword, ...newPassword } },
    here,
  )
  assert.equal(right.body.result, 'success')
  await server.ask(me, {}, here)
  assert.equal((await server.call(me, {}, there)).status, 401)
})

test('of two changes of one password at once, one counts: the other knew a password that is replaced', async () => {
  const { email } = await anAccount(server)
  const here = await signedIn(email)
  const body = { currentPassword: aPassword, ...newPassword }
  const both = await Promise.all([1, 2].map(() => server.call(changePassword, { body }, here)))
  assert.deepEqual(both.map(({ body }) => body.issues?.[0]?.path ?? body.result).sort(), [
    'currentPassword',
    'success',
  ])
})

test('a password reset link expires when the password is changed', async () => {
  const account = await anAccount(server)
  await server.ask(forgotPassword, { emailId: account.email })
  const token = await resetTokenFor(account.email)
  const here = await signedIn(account.email)
  const body = { currentPassword: aPassword, ...newPassword }
  assert.equal((await server.call(changePassword, { body }, here)).body.result, 'success')
  await server.refuses('account.reset_expired', resetPassword, { token, ...newPassword })
})

const aSchoolForm = {
  schName: 'Misaal Public School',
  schAddress: '4 Namuna Lane',
  city: 'Kalpanagar',
  state: 'Kerala',
  district: 'Kalpanagar',
  country: 'India',
  pinCode: '682001',
  mobile: '+91 90000 00002',
}

test("the session names a person's role and the pages open to them [spec 3.2]", async () => {
  const open = async (token: string) => {
    const { userDetails } = await server.ask(me, {}, { token })
    const routes = userDetails.formPermissions.filter(({ allowed }) => allowed).map(({ route }) => route)
    return { roleId: userDetails.roleId, routes }
  }
  const newcomer = await aTeacher({ schoolId: null })
  assert.deepEqual(await open(newcomer.token), { roleId: 4, routes: ['/dashboard', '/school-detail'] })
  await server.ask(saveSchoolDetails, aSchoolForm, newcomer)
  const waiting = ['/dashboard', '/school-detail', '/Importantlink/managepayment']
  assert.deepEqual(await open(newcomer.token), { roleId: 3, routes: waiting })
  const inside = await open((await aTeacher()).token)
  assert.ok(
    [1, 2].includes(inside.roleId) && inside.routes.includes('/student/entry'),
    JSON.stringify(inside),
  )
})

test('a person changes their own name and mobile number, by the rules of the registration form', async () => {
  const { id, token } = await aTeacher()
  const saved = await server.ask(
    saveProfile,
    { userName: 'Noor Kalpanik', mobile: '+91 90000 00044' },
    { token },
  )
  const { userName, mobile } = saved.userDetails
  assert.deepEqual([userName, mobile], ['Noor Kalpanik', '9000000044'])
  const lines = await auditLines(['action'], { subject_id: id, action: 'account.profile_saved' })
  assert.equal(lines.length, 1)
  const wrong = await server.send(
    saveProfile,
    { body: { userName: 'see evil.example/now', mobile: '12' } },
    { token },
  )
  assert.deepEqual(wrong.body.issues?.map(({ path }) => path).sort(), ['mobile', 'userName'])
  const nobody = await server.call(saveProfile, { body: { userName: 'Noor Kalpanik', mobile: '9000000044' } })
  assert.equal(nobody.status, 401)
})

test('the school detail form makes one application by the person signed in [spec 1.5 4.7 7.7]', async () => {
  const { id, token } = await aTeacher({ schoolId: null })
  const sent = await server.ask(saveSchoolDetails, { ...aSchoolForm, teacherId: id }, { token })
  assert.deepEqual(
    [sent.userDetails.state, sent.userDetails.teacherId, sent.userDetails.schId],
    ['pending', id, 0],
  )
  const own = await server.ask(getOwnApplication, {}, { token })
  assert.deepEqual([own.application, own.waiting?.schName], [null, aSchoolForm.schName])
  await server.refuses('account.pending', saveSchoolDetails, aSchoolForm, { token })
  const rows = await findRows('applications', { user_id: id })
  assert.deepEqual(valuesOf(rows, 'phone', 'state_of_review'), [['9000000002', 'submitted']])
})

test('a rejected applicant sees the reason and can apply again', async () => {
  const { id, token } = await aTeacher({ schoolId: null })
  await server.ask(saveSchoolDetails, aSchoolForm, { token })
  const { id: officer } = await anOfficer('operations')
  const reason = 'The pin code does not fit the city.'
  await changeRows(
    'applications',
    { user_id: id },
    { state_of_review: 'rejected', reason, decided_by: officer },
  )
  const body = await server.ask(me, {}, { token })
  assert.deepEqual(
    [body.userDetails.state, body.userDetails.teacherId, body.userDetails.reason],
    ['rejected', 0, 'The pin code does not fit the city.'],
  )
  const { application } = await server.ask(getOwnApplication, {}, { token })
  assert.deepEqual(
    [application?.status, application?.remark, application?.schName, application?.state],
    ['rejected', 'The pin code does not fit the city.', aSchoolForm.schName, aSchoolForm.state],
  )
  assert.equal(
    (await server.call(saveSchoolDetails, { body: aSchoolForm }, { token })).body.result,
    'success',
  )
  assert.equal((await server.ask(getOwnApplication, {}, { token })).application, null)
})

test("no one applies in someone else's name, without signing in, or when they already have a school", async () => {
  const { token } = await aTeacher({ schoolId: null })
  const other = await aTeacher()
  const foreign = { ...aSchoolForm, teacherId: other.id }
  assert.equal((await server.call(saveSchoolDetails, { body: foreign }, { token })).status, 403)
  assert.equal((await server.call(saveSchoolDetails, { body: aSchoolForm })).status, 401)
  await server.refuses('account.has_school', saveSchoolDetails, aSchoolForm, other)
})

test("the school detail form requires every field, in the specification's words", async () => {
  const { token } = await aTeacher({ schoolId: null })
  const { status, body } = await server.send(saveSchoolDetails, { body: {} }, { token })
  assert.equal(status, 400)
  assert.deepEqual(
    body.issues?.map(({ message }) => message),
    [
      'School name is required',
      'Address is required',
      'City is required',
      'State is required',
      'District is required',
      'Country is required',
      'Pin code is required',
      'Phone is required',
    ],
  )
})

test('India comes first and is the only country with states [spec 2.6.3 5.8 7.5 7.6 9.5]', async () => {
  const countries = await server.ask(getCountry)
  assert.deepEqual(countries.data[0], { countryId: 1, countryName: 'India' })
  assert.ok(countries.data.length > 200)
  const states = await server.ask(getState, { countryId: '1' })
  assert.equal(states.data.length, 36)
  const none = await server.ask(getState, { countryId: '2' })
  assert.deepEqual(none.data, [])
})
