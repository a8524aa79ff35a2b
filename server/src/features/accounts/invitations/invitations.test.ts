import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getColleagues, login, me } from '@podium/contract/accounts/calls'
import {
  acceptInvitation,
  answerOffer,
  inviteColleague,
  joinByInvitation,
  offerCoordination,
  readInvitation,
  removeColleague,
  resendInvitation,
  withdrawInvitation,
  withdrawOffer,
} from '@podium/contract/accounts/calls-invitations'
import { verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import { resendMails } from '@podium/contract/office/calls-mails'
import {
  officeInvite,
  officeRemovePerson,
  officeResendInvitation,
  officeSchool,
  officeWithdrawInvitation,
} from '@podium/contract/schools/calls-record'
import { setSchoolAccount } from '@podium/contract/schools/calls-write'
import { startActing } from '@podium/contract/staff/calls-act-as-school'
import { mint, type SchoolScope } from '#platform/auth/scope'
import { aLinkedSchool, anAccount, anAddress, aPassword } from '#test/accounts-factories'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { addRow, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, refused, testServer } from '#test/server'
import { invite } from './commands.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))

const days = (n: number) => new Date(aDay.getTime() + n * 86_400_000)
const textTo = async (address: string) => (await mailsTo(server, address)).map(({ text }) => text).join('\n')
const aCoordinator = (schoolId?: number) =>
  aTeacher({ coordinator: true, name: 'Hema Misaal', ...(schoolId === undefined ? {} : { schoolId }) })
type Teacher = Awaited<ReturnType<typeof aTeacher>>

/** The token in the only new invitation e-mailed to an address. */
async function tokenFor(address: string, known: readonly string[] = []): Promise<string> {
  const text = await textTo(address)
  const tokens = [...text.matchAll(/\/invitation#([A-Za-z0-9_-]{43})\n/g)].map(([, token]) => token ?? '')
  return tokens.find((token) => !known.includes(token)) ?? ''
}

async function anInvited(by: Teacher, emailId = anAddress(), known: readonly string[] = []) {
  const body = await server.ask(inviteColleague, { name: 'Joel Namunawala', emailId }, by)
  return { emailId, id: body.id, token: await tokenFor(emailId, known) }
}

const joiner = {
  userName: 'Joel Namunawala',
  mobile: '9000000017',
  designation: 'Teacher',
  disclaimer: true,
  password: aPassword,
  rePassword: aPassword,
} as const
const accept = (token: string, form: object = {}) =>
  server.send(acceptInvitation, { body: { token, ...joiner, ...form } })
const signIn = (emailId: string) => server.call(login, { body: { emailId, password: aPassword } })
const list = (by: { token: string }) => server.ask(getColleagues, {}, by)

test('an invited person sets a password with the e-mailed link, once, and signs in as staff of the school', async () => {
  const hema = await aCoordinator()
  const { emailId, token } = await anInvited(hema)
  const shown = await server.ask(readInvitation, { token })
  assert.deepEqual([shown.emailId, shown.invitedBy, shown.account], [emailId, 'Hema Misaal', 'new'])
  assert.equal((await accept(token, { password: 'password', rePassword: 'password' })).status, 400)
  assert.equal((await accept(token)).body.result, 'success')
  const { body } = await signIn(emailId)
  assert.deepEqual([body.userDetails.schId, body.userDetails.coordinator], [hema.schoolId, false])
  await refused('colleagues.invitation_over', accept(token))
  const people = await list(hema)
  assert.deepEqual(
    people.data.map((row) => [row.name, row.coordinator, row.self, row.lastSeen !== null]),
    [
      ['Hema Misaal', true, true, true],
      ['Joel Namunawala', false, false, true],
    ],
  )
  assert.equal(people.invitations.length, 0)
  assert.match(await textTo(hema.email), /Joel Namunawala accepted/)
})

test('of two people who accept one invitation at once, one joins', async () => {
  const { token } = await anInvited(await aCoordinator())
  const answers = await Promise.all([accept(token), accept(token)])
  assert.deepEqual(answers.map(({ body }) => body.result).sort(), ['error', 'success'])
})

test('an invitation expires after a week or when withdrawn; sending it again voids the earlier link', async () => {
  const hema = await aCoordinator()
  const sent = await anInvited(hema)
  now = days(8)
  const later = await aTeacher({ schoolId: hema.schoolId, coordinator: true, now })
  await refused('colleagues.invitation_over', accept(sent.token))
  assert.equal((await list(later)).invitations[0]?.over, true)
  await server.ask(resendInvitation, { id: sent.id }, later)
  const fresh = await tokenFor(sent.emailId, [sent.token])
  now = aDay
  assert.notEqual(fresh, sent.token)
  await refused('colleagues.invitation_over', accept(sent.token))
  const [shown] = (await list(hema)).invitations
  assert.deepEqual([shown?.over, shown?.timesSent], [false, 2])
  await server.ask(withdrawInvitation, { id: sent.id }, hema)
  await refused('colleagues.invitation_over', accept(fresh))
  await server.refuses('not_found', resendInvitation, { id: sent.id }, hema)
})

test("neither the database nor the activity log holds an invitation's token", async () => {
  const { token, id } = await anInvited(await aCoordinator())
  const row = await findRow('school_invitations', { id })
  const lines = await auditLines(['change'], { subject_id: id })
  assert.doesNotMatch(JSON.stringify([row, lines]), new RegExp(token))
})

test("an invitation never reveals whether an address has an account, except among the school's own staff", async () => {
  const hema = await aCoordinator()
  const elsewhere = await anAccount(server, { schoolId: (await aSchool()).id })
  const answers = []
  for (const emailId of [anAddress(), elsewhere.email, (await anAccount(server)).email]) {
    const { status, body } = await server.call(inviteColleague, { body: { name: 'A', emailId } }, hema)
    answers.push([status, Object.keys(body).sort(), (await mailsTo(server, emailId))[0]?.subject])
  }
  assert.deepEqual(answers[1], answers[0])
  assert.deepEqual(answers[2], answers[0])
  const refused = async (emailId: string) =>
    (await server.send(inviteColleague, { body: { name: 'A', emailId } }, hema)).body.issues
  assert.deepEqual(await refused(elsewhere.email), [
    { path: 'emailId', message: 'This address is already invited. Send the invitation again from the list.' },
  ])
  assert.deepEqual(await refused(hema.email), [
    { path: 'emailId', message: 'Someone at this school already has this address.' },
  ])
})

test('a person without a school joins with their password; one of another school must be removed there first', async () => {
  const hema = await aCoordinator()
  const free = await anAccount(server)
  const { token } = await anInvited(hema, free.email)
  assert.equal((await server.ask(readInvitation, { token })).account, 'known')
  await refused('colleagues.known', accept(token))
  const wrong = await server.send(joinByInvitation, { body: { token, password: 'another-one-9' } })
  assert.deepEqual(wrong.body.issues, [
    { path: 'password', message: 'This is not the password of this account.' },
  ])
  const joined = await server.send(joinByInvitation, { body: { token, password: aPassword } })
  assert.equal(joined.body.result, 'success')
  assert.equal((await signIn(free.email)).body.userDetails.schId, hema.schoolId)

  const anita = await aCoordinator()
  const second = await anInvited(anita, free.email, [token])
  const join = () => server.send(joinByInvitation, { body: { token: second.token, password: aPassword } })
  await refused('colleagues.elsewhere', join())
  const member = (await list(hema)).data.find(({ id }) => id === free.id)
  await server.ask(removeColleague, { id: free.id, version: member?.version ?? 0 }, hema)
  assert.equal((await join()).body.result, 'success')
  assert.equal((await signIn(free.email)).body.userDetails.schId, anita.schoolId)
})

test('a removed person is signed out and notified, and returns by a new invitation, not by the access code', async () => {
  const { school, id: linkId, code } = await aLinkedSchool(server)
  const hema = await aCoordinator(school.id)
  const joel = await anAccount(server, { schoolId: school.id })
  const signedIn = await signIn(joel.email)
  const remove = (version: number) => server.send(removeColleague, { body: { id: joel.id, version } }, hema)
  await refused('changed_meanwhile', remove(9))
  assert.equal((await remove(1)).status, 200)
  assert.equal((await server.call(me, {}, signedIn.body)).status, 401)
  assert.match(await textTo(joel.email), /Hema Misaal removed you/)
  const cookies = new Map<string, string>()
  await server.ask(verifyAccessCode, { id: linkId, code }, { cookies })
  const back = await server.call(
    login,
    { body: { emailId: joel.email, password: aPassword, id: linkId } },
    { cookies },
  )
  assert.deepEqual([back.body.result, back.body.userDetails.schId], ['success', 0])
  const { emailId, token } = await anInvited(hema, joel.email)
  await server.send(joinByInvitation, { body: { token, password: aPassword } })
  assert.equal((await signIn(emailId)).body.userDetails.schId, school.id)
})

test('an e-mail about the school that could not leave is not sent to who was removed or deactivated; one about the account is', async () => {
  const hema = await aCoordinator()
  const { schoolId } = hema
  const [removed, off] = [await aTeacher({ schoolId }), await aTeacher({ schoolId })]
  const mails = []
  for (const { id, email } of [removed, off])
    for (const kind of ['payment-verified', 'password'] as const)
      mails.push(
        await addRow('outbox', {
          ...{ key: `${kind}:${id}`, kind, school_id: schoolId, user_id: id },
          payload: JSON.stringify({ to: { name: '', address: email }, subject: 'S', text: 'T' }),
          ...{ created_at: now, due_at: now, failed_at: now },
        }),
      )
  await server.ask(removeColleague, { id: removed.id, version: 1 }, hema)
  const why = { version: 1, enabled: false, reason: 'Left the school.' }
  const owner = await anOfficer('owner')
  await server.ask(setSchoolAccount, { id: schoolId, userId: off.id, ...why }, owner)
  assert.equal((await server.ask(resendMails, { ids: valuesOf(mails, 'id') }, owner)).resent, 2)
  for (const { id } of [removed, off])
    assert.deepEqual(valuesOf(await findRows('outbox', { user_id: id }, ['kind']), 'kind').sort(), [
      'account',
      'password',
    ])
})

test('a removed person does not return by an older invitation to them or by one that they sent', async () => {
  const { school, id: linkId, code } = await aLinkedSchool(server)
  const hema = await aCoordinator(school.id)
  const joel = await aCoordinator(school.id)
  const free = await anAccount(server)
  const [old, sent] = [await anInvited(hema, free.email), await anInvited(joel)]
  const cookies = new Map<string, string>()
  await server.ask(verifyAccessCode, { id: linkId, code }, { cookies })
  const body = { emailId: free.email, password: aPassword, id: linkId }
  assert.equal((await server.ask(login, body, { cookies })).userDetails.schId, school.id)
  assert.deepEqual(valuesOf((await list(hema)).invitations, 'id'), [sent.id])
  // As in databases from before invitations were withdrawn when someone joined.
  const { db } = server.deps
  await changeRows('school_invitations', { id: old.id }, { withdrawn_at: null })
  await changeRows('users', { id: joel.id }, { coordinator: false })
  for (const { id, version } of (await list(hema)).data.filter(({ self }) => !self))
    await server.ask(removeColleague, { id, version }, hema)
  assert.deepEqual((await list(hema)).invitations, [])
  const withdrawn = await auditLines(['subject_id', 'actor_name'], {
    school_id: school.id,
    action: 'school.invitation_withdrawn',
  })
  const ofSent = withdrawn.filter(({ subject_id }) => subject_id === String(sent.id))
  assert.deepEqual(valuesOf(ofSent, 'actor_name'), ['Hema Misaal'], 'each has its line')
  // His session was checked just before he was removed.
  const still = { schoolId: school.id, schoolCode: school.code, coordinator: true, email: joel.email }
  const scope = mint<SchoolScope>({ kind: 'school', userId: joel.id, name: 'Joel', session: '', ...still })
  const friend = { schoolId: school.id, name: 'Tara', emailId: anAddress(), language: 'en' as const }
  const late = db.transaction().execute((tx) => invite(tx, scope, aDay, 'http://127.0.0.1', friend))
  await assert.rejects(late, { code: 'access.denied' })
  const back = server.send(joinByInvitation, { body: { token: old.token, password: aPassword } })
  await refused('colleagues.invitation_over', back)
  await refused('colleagues.invitation_over', accept(sent.token))
  assert.equal((await signIn(free.email)).body.userDetails.schId, 0)
})

test('a new coordinator takes over by accepting the offer, and not before', async () => {
  const hema = await aCoordinator()
  const joel = await aTeacher({ schoolId: hema.schoolId, name: 'Joel Namunawala' })
  const tara = await aTeacher({ schoolId: hema.schoolId, name: 'Tara Kalpanik' })
  const offer = (id: number) => server.send(offerCoordination, { body: { id } }, hema)
  await refused('colleagues.coordinates_already', offer(hema.id))
  assert.equal((await offer(tara.id)).status, 200)
  const first = (await list(tara)).offer
  assert.deepEqual([first?.mine, first?.fromName], [true, 'Hema Misaal'])
  assert.equal((await offer(joel.id)).status, 200)
  const answer = (id: number | undefined, by: Teacher, accepts = true) =>
    server.send(answerOffer, { body: { id, accept: accepts } }, by)
  await refused('colleagues.offer_over', answer(first?.id, tara))
  const second = (await list(joel)).offer
  await refused('not_found', answer(second?.id, tara))
  assert.equal((await list(hema)).data.find(({ coordinator }) => coordinator)?.id, hema.id)
  assert.equal((await answer(second?.id, joel)).status, 200)
  assert.deepEqual(
    valuesOf(
      (await list(joel)).data.filter(({ coordinator }) => coordinator),
      'id',
    ),
    [joel.id],
  )
  assert.match(await textTo(hema.email), /Joel Namunawala has taken over/)
  await refused('access.not_coordinator', offer(tara.id))
})

test('of offers to coordinate, each by e-mail, one colleague gets three an hour', async () => {
  const strict = await testServer({ clock: () => now, limitScale: 1 })
  const hema = await aCoordinator()
  const joel = await aTeacher({ schoolId: hema.schoolId, name: 'Joel Namunawala' })
  for (let n = 0; n < 3; n++) await strict.ask(offerCoordination, { id: joel.id }, hema)
  await strict.refuses('request.too_many', offerCoordination, { id: joel.id }, hema)
  const tara = await aTeacher({ schoolId: hema.schoolId, name: 'Tara Kalpanik' })
  await strict.ask(offerCoordination, { id: tara.id }, hema)
})

test('a school that has invited someone five times in a day keeps neither another school nor the office from it', async () => {
  const strict = await testServer({ clock: () => now, limitScale: 1 })
  const invited = { name: 'Tara Kalpanik', emailId: anAddress() }
  const schools = await Promise.all([1, 2, 3, 4].map(() => aCoordinator()))
  const inviteFrom = (index: number) => strict.call(inviteColleague, { body: invited }, schools[index])
  for (const index of [0, 1, 2]) {
    for (let n = 0; n < 5; n++) assert.notEqual((await inviteFrom(index)).status, 429)
    assert.equal((await inviteFrom(index)).status, 429)
  }
  assert.equal((await inviteFrom(3)).status, 429, 'fifteen in a day are enough for any mailbox')
  const ofOffice = { id: (await aSchool()).id, ...invited }
  await strict.ask(officeInvite, ofOffice, await anOfficer('operations'))
})

test('an offer that is declined, withdrawn or a week old leaves the coordinator unchanged', async () => {
  const hema = await aCoordinator()
  const joel = await aTeacher({ schoolId: hema.schoolId, name: 'Joel Namunawala' })
  const offered = async () => {
    await server.ask(offerCoordination, { id: joel.id }, hema)
    return (await list(joel)).offer?.id ?? 0
  }
  const declined = await offered()
  await server.ask(answerOffer, { id: declined, accept: false }, joel)
  const withdrawn = await offered()
  await server.ask(withdrawOffer, { id: withdrawn }, hema)
  const old = await offered()
  now = days(8)
  const later = await aTeacher({ schoolId: (await aSchool()).id, now })
  await changeRows('sessions', { user_id: later.id }, { user_id: joel.id })
  assert.equal((await list(later)).offer, null)
  for (const id of [declined, withdrawn, old])
    await server.refuses('colleagues.offer_over', answerOffer, { id, accept: true }, later)
  now = aDay
  assert.equal((await list(hema)).can.manage, true)
})

test('inviting, withdrawing and answering again because the answer was lost is answered as done, and happens once', async () => {
  const hema = await aCoordinator()
  const joel = await aTeacher({ schoolId: hema.schoolId })
  const key = { 'idempotency-key': 'a-colleagues-key-1' }
  const once = { ...hema, headers: key }
  const invited = { name: 'Asha Misaal', emailId: anAddress() }
  const { id } = await server.ask(inviteColleague, invited, once)
  assert.equal((await server.ask(inviteColleague, invited, once)).id, id)
  for (let sent = 0; sent < 2; sent++) await server.ask(withdrawInvitation, { id }, once)
  const offerTo = async () => {
    await server.ask(offerCoordination, { id: joel.id }, hema)
    return (await list(hema)).offer?.id ?? 0
  }
  const withdrawn = await offerTo()
  for (let sent = 0; sent < 2; sent++) await server.ask(withdrawOffer, { id: withdrawn }, once)
  const taken = { id: await offerTo(), accept: true }
  for (let sent = 0; sent < 2; sent++) await server.ask(answerOffer, taken, { ...joel, headers: key })
  assert.equal((await list(joel)).data.find(({ coordinator }) => coordinator)?.id, joel.id)
})

test('a school keeps its coordinator as long as anyone else there can sign in', async () => {
  const hema = await aCoordinator()
  const joel = await aTeacher({ schoolId: hema.schoolId })
  const officer = await anOfficer('operations')
  const id = hema.schoolId
  const of = { id, userId: hema.id, version: 1, reason: 'Has left' }
  const first = 'colleagues.coordinator_first'
  await server.refuses(first, removeColleague, { id: hema.id, version: 1 }, hema)
  await server.refuses(first, officeRemovePerson, of, officer)
  await server.refuses(first, setSchoolAccount, { ...of, enabled: false }, officer)
  const gone = { id, userId: joel.id, version: 1, reason: 'Has left' }
  await server.ask(officeRemovePerson, gone, officer)
  assert.match(await textTo(joel.email), /Has left/)
  await server.ask(officeRemovePerson, of, officer)
  const invited = { id, name: 'Tara Kalpanik', emailId: anAddress(), language: 'hi' as const }
  await server.ask(officeInvite, invited, officer)
  const token = await tokenFor(invited.emailId)
  assert.equal((await accept(token)).body.result, 'success')
  assert.equal((await signIn(invited.emailId)).body.userDetails.coordinator, true)
})

test('the invitations that a deactivated person sent end with their account', async () => {
  const hema = await aCoordinator()
  const { id, token } = await anInvited(hema)
  const officer = await anOfficer('operations')
  const off = { id: hema.schoolId, userId: hema.id, version: 1, enabled: false, reason: 'Codes were sold' }
  await server.ask(setSchoolAccount, off, officer)
  assert.notEqual((await accept(token)).body.result, 'success')
  const [row] = await findRows('school_invitations', { id }, ['accepted_at', 'withdrawn_at'])
  assert.deepEqual([row?.accepted_at, row?.withdrawn_at === null], [null, false])
})

test('the office invites, resends and withdraws only for the school that it names', async () => {
  const officer = await anOfficer('operations')
  const [id, other] = [(await aSchool()).id, (await aSchool()).id]
  const emailId = anAddress()
  const invited = await server.ask(officeInvite, { id, name: 'Tara Kalpanik', emailId }, officer)
  const { invitationId } = invited
  const query = { id: String(id), FYear: thisSeason }
  const shown = await server.ask(officeSchool, query, officer)
  assert.deepEqual(valuesOf(shown.invitations, 'emailId', 'invitedBy'), [[emailId, officer.name]])
  for (const endpoint of [officeResendInvitation, officeWithdrawInvitation]) {
    await server.refuses('not_found', endpoint, { id: other, invitationId }, officer)
    await server.ask(endpoint, { id, invitationId }, officer)
  }
})

test('staff who do not coordinate, and officers signed in as the school, see everyone and change no one', async () => {
  const hema = await aCoordinator()
  const joel = await aTeacher({ schoolId: hema.schoolId })
  const { id } = await anInvited(hema)
  const officer = await anOfficer('operations')
  const acting = await server.ask(
    startActing,
    { id: hema.schoolId, reason: 'Asked by phone', minutes: '30' },
    officer,
  )
  const calls = [
    [inviteColleague, { name: 'A', emailId: anAddress() }],
    [resendInvitation, { id }],
    [withdrawInvitation, { id }],
    [removeColleague, { id: joel.id, version: 1 }],
    [offerCoordination, { id: joel.id }],
    [withdrawOffer, { id: 1 }],
  ] as const
  for (const [endpoint, body] of calls) {
    await server.refuses('access.not_coordinator', endpoint, body, joel)
    await server.refuses('access.acting', endpoint, body, acting)
  }
  const answered = server.send(answerOffer, { body: { id: 1, accept: true } }, acting)
  await refused('access.acting', answered)
  assert.deepEqual((await list(joel)).can, { manage: 'access.not_coordinator' })
  assert.deepEqual((await list(acting)).can, { manage: 'access.acting' })
  assert.equal((await list(joel)).data.length, 2)
})
