import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { me } from '@podium/contract/accounts/calls'
import { causeOf, extractStatus, isAddressFault, reportBounce } from '@podium/contract/office/calls-bounces'
import { mailQueue, schoolMails } from '@podium/contract/office/calls-mails'
import { reminderList } from '@podium/contract/office/calls-overview'
import { getContacts } from '@podium/contract/schools/calls'
import { mailingPlan } from '@podium/contract/schools/calls-mailings'
import { officeSchool, officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { addressWorks } from '@podium/contract/schools/calls-write'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import { enqueueMail } from '#platform/jobs/outbox'
import { messageId } from '#platform/mail/bounces'
import { mailFile } from '#platform/mail/mail-folder'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { addRow, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'

const secret = 'a-secret-of-the-mail-server'
type Teacher = Awaited<ReturnType<typeof aTeacher>>

const server = beforehand(() => testServer({ clock: () => aDay, settings: { mailBounceSecret: secret } }))
before(() => aSeason())
const officer = beforehand(() => anOfficer('operations'))

/** A sent e-mail, with its key. */
async function aMail(
  to: { email: string; schoolId?: number | null },
  kind: 'reminder' | 'family' = 'reminder',
) {
  const { db } = server.deps
  const key = `test:${randomUUID()}`
  const mail = {
    key,
    kind,
    to: { name: 'Meera', address: to.email },
    subject: 'Dates',
    text: 'Please choose.',
  }
  const schoolId = to.schoolId == null ? {} : { schoolId: to.schoolId }
  await db.transaction().execute((tx) => enqueueMail(tx, aDay, { ...mail, ...schoolId }))
  await server.drain()
  const { id } = await findRow('outbox', { key })
  return { id, key, messageId: messageId({ id, key }, 'no-reply@podium.example') }
}

const bounce = {
  status: '5.1.1',
  reason: '550 5.1.1 <meera@school.example>: no such user',
  at: aDay.toISOString(),
}

async function sendReport(report: object, token: string | undefined = secret) {
  const response = await fetch(`${server.url}/api/mail/bounces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(report),
  })
  const { code, ...rest } = (await response.json()) as { code?: string }
  return { status: response.status, code, rest }
}

const bouncedMails = async () => {
  const query = { state: 'bounced' } as const
  return (await server.ask(mailQueue, query, officer)).data
}
const markOf = async (teacher: Teacher) => (await server.ask(me, {}, teacher)).bounced
const recordOf = async (schoolId: number) => {
  const query = { id: String(schoolId), FYear: thisSeason }
  return await server.ask(officeSchool, query, officer)
}

test('an e-mail carries its id in its header, so that a report can name it', async () => {
  const { id, key, messageId: name } = await aMail(await aTeacher())
  const { created_at } = await findRow('outbox', { id })
  const file = join(server.deps.settings.dataDir, 'mail', mailFile({ key, createdAt: created_at }))
  assert.match(await readFile(file, 'utf8'), new RegExp(`^Message-ID: ${name.replaceAll('.', '\\.')}$`, 'm'))
})

test('a returned e-mail is shown in the log and at its school, with day and reason and without the address', async () => {
  const teacher = await aTeacher()
  const { id, messageId } = await aMail(teacher)
  const at = '2026-11-20T08:00:00Z'
  const { status } = await sendReport({ ...bounce, messageId, recipient: teacher.email, at })
  assert.equal(status, 200)
  const mail = (await bouncedMails()).find((item) => item.id === id)
  assert.deepEqual([mail?.at, mail?.error], [new Date(at).toISOString(), '550 5.1.1 <…>: no such user'])
  assert.deepEqual([mail?.to, mail?.name, mail?.school?.id], ['', teacher.name, teacher.schoolId])
  const sent = { query: { state: 'sent' } } as const
  assert.ok(!(await server.call(mailQueue, sent, officer)).body.data.some((row) => row.id === id))
  const ofSchool = { query: { id: String(teacher.schoolId) } }
  const { data } = (await server.call(schoolMails, ofSchool, officer)).body
  assert.deepEqual(valuesOf(data, 'id', 'state', 'can'), [[id, 'bounced', 'mails.not_failed']])
  const lines = await auditLines(['actor_kind', 'actor_name', 'school_id', 'change'], {
    action: 'mail.bounced',
    subject_id: id,
  })
  assert.deepEqual(lines, [
    {
      ...{ actor_kind: 'system', actor_name: 'Mail server', school_id: teacher.schoolId },
      change: { kind: 'reminder', status: '5.1.1' },
    },
  ])
})

test('the words of another mail server are kept on one line, whatever they contain', async () => {
  const teacher = await aTeacher()
  const { id, messageId } = await aMail(teacher)
  const reason = `550 no\r\n\u0000user ${teacher.email}`
  assert.equal((await sendReport({ ...bounce, messageId, recipient: teacher.email, reason })).status, 200)
  assert.equal((await bouncedMails()).find((item) => item.id === id)?.error, '5.1.1 550 no user …')
})

test('an address that returns e-mails is marked for its owner and the office, until an e-mail arrives there', async () => {
  const teacher = await aTeacher()
  assert.equal(await markOf(teacher), null)
  const { messageId } = await aMail(teacher)
  const report = { ...bounce, messageId: messageId.slice(1, -1), recipient: teacher.email.toUpperCase() }
  await sendReport({ ...report, at: '2026-11-20T08:00:00+05:30' })
  const mark = { at: '2026-11-20T02:30:00Z', status: '5.1.1' }
  assert.deepEqual(await markOf(teacher), mark)
  const { staff } = await recordOf(teacher.schoolId ?? 0)
  assert.deepEqual(valuesOf(staff, 'bounced'), [mark])
  await sendReport({ ...report, status: '2.0.0', at: '2026-11-20T02:00:00Z' })
  assert.deepEqual(await markOf(teacher), mark)
  await sendReport({ ...report, status: '2.0.0' })
  assert.equal(await markOf(teacher), null)
})

test('a contact and a school with a marked address are marked, until they get another address', async () => {
  const teacher = await aTeacher()
  const schoolId = teacher.schoolId ?? 0
  await changeRows('schools', { id: schoolId }, { email: teacher.email })
  const [designation, title] = [
    await findRow('designations', {}, ['id']),
    await findRow('titles', {}, ['id']),
  ]
  const names = { designation_id: designation.id, title_id: title.id, name: 'Meera Misaal' }
  const reach = { email: teacher.email, alt_email: '', mobile: '9000000001', alt_mobile: '' }
  const of = { school_id: schoolId, season: thisSeason, created_at: aDay }
  await addRow('contacts', { ...names, ...reach, ...of })
  const { messageId } = await aMail(teacher)
  await sendReport({ ...bounce, messageId, recipient: teacher.email })
  const own = async () => {
    const query = { FYear: thisSeason, status: '' } as const
    return (await server.ask(getContacts, query, teacher)).data.map((row) => row.bounced?.status)
  }
  const office = async () => {
    const { school, contacts } = await recordOf(schoolId)
    return [school.bounced?.status, ...contacts.map((contact) => contact.bounced?.status)]
  }
  assert.deepEqual([await own(), await office()], [['5.1.1'], ['5.1.1', '5.1.1']])
  await changeRows('contacts', { school_id: schoolId }, { email: 'new@school.example' })
  await changeRows('schools', { id: schoolId }, { email: '' })
  assert.deepEqual([await own(), await office()], [[undefined], [undefined, undefined]])
})

test("the office clears the mark of a school's address that works again, and the school's history records it", async () => {
  const [teacher, other] = [await aTeacher(), await aTeacher()]
  const schoolId = teacher.schoolId ?? 0
  const { messageId } = await aMail(teacher)
  await sendReport({ ...bounce, messageId, recipient: teacher.email })
  const mark = await markOf(teacher)
  const works = (body: object, by = officer) =>
    server.send(
      addressWorks,
      { body: { id: schoolId, email: teacher.email.toUpperCase(), at: mark?.at ?? '', ...body } },
      by,
    )
  const refused = async (body: object, by = officer) => {
    const answer = await works(body, by)
    return [answer.status, answer.body.code]
  }
  for (const role of ['accounts', 'results', 'viewer'] as const)
    assert.deepEqual(await refused({}, await anOfficer(role)), [403, 'access.denied'], role)
  assert.deepEqual(await refused({ id: other.schoolId }), [404, 'not_found'])
  assert.deepEqual(await refused({ email: other.email }), [404, 'not_found'])
  assert.deepEqual(await refused({ at: '2026-01-01T00:00:00Z' }), [409, 'changed_meanwhile'])
  assert.deepEqual(await markOf(teacher), mark)
  assert.equal((await works({})).status, 200)
  assert.equal(await markOf(teacher), null)
  assert.equal((await works({})).status, 200)
  const { data } = await server.ask(officeSchoolHistory, { id: String(schoolId) }, officer)
  assert.deepEqual(valuesOf(data, 'action', 'changes'), [
    [
      'school.address_works',
      [{ field: 'returnedSince', from: `${formatDay(istDay(aDay))} ${istTime(aDay)}`, to: '' }],
    ],
    [
      'mail.bounced',
      [
        { field: 'kind', from: '', to: 'reminder', as: 'mails' },
        { field: 'status', from: '', to: '5.1.1' },
      ],
    ],
  ])
})

test('an officer who writes to many schools sees how many of their addresses return e-mails', async () => {
  const teacher = await aTeacher()
  const query = { FYear: thisSeason, ids: String(teacher.schoolId) }
  const plan = () => server.ask(mailingPlan, query, officer)
  assert.deepEqual([(await plan()).mails, (await plan()).bounced], [1, 0])
  const { messageId } = await aMail(teacher)
  await sendReport({ ...bounce, messageId, recipient: teacher.email })
  assert.deepEqual([(await plan()).mails, (await plan()).bounced], [1, 1])
  const step = { school_id: teacher.schoolId ?? 0, season: thisSeason, step: 'enrol', students: 0, due: 0 }
  await server.deps.db
    .insertInto('school_steps')
    .values({ ...step, until: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { data } = await server.ask(reminderList, { FYear: thisSeason }, officer)
  const row = data.find(({ id }) => id === teacher.schoolId)
  assert.deepEqual([row?.people, row?.bounced], [1, 1])
})

test('a caller without the secret gets no answer, whatever is sent, and no one does when no secret is set', async () => {
  const teacher = await aTeacher()
  const { messageId } = await aMail(teacher)
  const report = { ...bounce, messageId, recipient: teacher.email }
  const nothing = { status: 404, code: 'not_found' }
  for (const token of [undefined, `${secret}!`, secret.slice(0, -1), officer.token, 'x'.repeat(5000)])
    for (const body of [report, {}]) {
      const { status, code } = await sendReport(body, token ?? '')
      assert.deepEqual({ status, code }, nothing)
    }
  assert.equal(await markOf(teacher), null)
  const closed = await testServer({ clock: () => aDay })
  const { status } = await fetch(`${closed.url}/api/mail/bounces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer undefined' },
    body: JSON.stringify(report),
  })
  assert.equal(status, 404)
})

test('a report of an unknown e-mail gets the same answer as a known one, and leaves nothing', async () => {
  const teacher = await aTeacher()
  const { id, messageId } = await aMail(teacher)
  const report = { ...bounce, recipient: teacher.email }
  const before = (await bouncedMails()).length
  const otherHash = messageId.replace(/^<./, (start) => (start === '<0' ? '<1' : '<0'))
  const otherRow = messageId.replace(`.${id}@`, `.${id + 1}@`)
  for (const name of [
    otherHash,
    otherRow,
    'nobody@elsewhere.example',
    `<${'0'.repeat(32)}.999999999999999@x>`,
  ])
    assert.deepEqual(
      await sendReport({ ...report, messageId: name }),
      await sendReport({ ...report, messageId: name }),
    )
  assert.equal((await bouncedMails()).length, before)
  const unknown = await sendReport({ ...report, messageId: otherHash })
  const known = await sendReport({ ...report, messageId })
  assert.deepEqual(unknown, known)
  assert.deepEqual(await sendReport({ ...report, messageId }), known)
  assert.equal((await bouncedMails()).length, before + 1)
})

test("a parent's address and one named by someone else are not marked; a temporary failure leaves no mark", async () => {
  const teacher = await aTeacher()
  const marks = async () => (await findRows('bounced_addresses', {}, ['address'])).length
  const before = await marks()
  const parent = { email: `parent-${randomUUID()}@home.example`, schoolId: teacher.schoolId }
  const ofFamily = await aMail(parent, 'family')
  await sendReport({ ...bounce, messageId: ofFamily.messageId, recipient: parent.email })
  assert.ok((await bouncedMails()).some(({ id }) => id === ofFamily.id))
  const { messageId, id } = await aMail(teacher)
  await sendReport({ ...bounce, messageId, recipient: teacher.email, status: '4.4.1' })
  assert.ok(!(await bouncedMails()).some((item) => item.id === id))
  await sendReport({ ...bounce, messageId, recipient: (await aTeacher()).email })
  assert.equal(await marks(), before)
  // If the mail server refuses all our e-mails, that says nothing about the address.
  const refused = await aMail(teacher)
  await sendReport({ ...bounce, messageId: refused.messageId, recipient: teacher.email, status: '5.7.1' })
  assert.equal(await marks(), before)
})

test('an incomplete report is refused, and a large one is not read', async () => {
  const report = { ...bounce, messageId: '<a@b>', recipient: 'a@school.example' }
  for (const wrong of [
    { status: '6.1.1' },
    { status: '5.1' },
    { at: 'yesterday' },
    { recipient: 'nobody' },
    { messageId: '' },
    { more: 1 },
  ])
    assert.equal((await sendReport({ ...report, ...wrong })).status, 400, JSON.stringify(wrong))
  assert.equal((await sendReport({ ...report, reason: 'x'.repeat(20_000) })).status, 413)
  assert.equal(reportBounce.bodyLimit, 16 * 1024)
})

test("the RFC 3463 status is found in a mail server's reply and read as a cause", () => {
  assert.deepEqual(
    [
      'Can’t send mail: 550 5.1.1 <…>: User unknown',
      '552-5.2.2 full',
      '554 5.7.1 blocked',
      'from 192.5.1.1',
      '450',
    ].map(extractStatus),
    ['5.1.1', '5.2.2', '5.7.1', '', ''],
  )
  assert.deepEqual(
    ['5.1.1', '5.1.2', '5.4.4', '5.2.1', '5.2.2', '5.3.4', '5.7.1', '5.1.8', '5.0.0'].map(causeOf),
    ['address', 'domain', 'domain', 'off', 'full', 'size', 'policy', 'policy', 'other'],
  )
  assert.deepEqual(['5.1.1', '5.2.2', '5.7.1', '5.0.0', '4.2.2'].map(isAddressFault), [
    true,
    true,
    false,
    false,
    false,
  ])
})
