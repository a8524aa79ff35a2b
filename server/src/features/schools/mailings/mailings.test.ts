import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { officeLedger } from '@podium/contract/ledger/calls'
import { exportMails, type MailView, mailQueue, schoolMails } from '@podium/contract/office/calls-mails'
import { reminderList } from '@podium/contract/office/calls-overview'
import {
  mailingPlan,
  mailings,
  previewMailing,
  sendMailing,
  stopMailing,
  testMailing,
} from '@podium/contract/schools/calls-mailings'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { sql } from 'kysely'
import { storeFigures } from '#features/office/overview/commands-figures'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { addRow, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, refused, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'
import { mailNextBatch } from './routes.ts'

/** E-mails from the office to many schools at once. */
const server = beforehand(() => testServer({ clock: () => aDay, limitScale: 100 }))
const officer = beforehand(() => anOfficer('operations'))

const written = {
  FYear: thisSeason,
  subject: '{school}: {amount} due',
  body: 'For {season} {amount} of {school} ({code}) is due.\n\nPay here: {link}',
}
type Changes = Partial<
  Record<'ids' | 'body' | 'readers' | 'typed' | 'search' | 'list' | 'balance' | 'step', string>
>
const plan = (ids: string, readers = 'coordinators') =>
  server.ask(mailingPlan, { FYear: thisSeason, ids, readers: readers as 'everyone' }, officer)
const send = (schools: number, changes: Changes, by = officer) =>
  server.send(sendMailing, { body: { ...written, schools, ...changes } }, by)
const idsOf = (...schools: { id: number }[]) => schools.map(({ id }) => id).join(',')
const sent = async (id: number) =>
  (await server.ask(mailings, {}, officer)).data.find((row) => row.id === id) ?? assert.fail()

/** A school with a coordinator and another teacher. */
async function aStaffedSchool() {
  const school = await aSchool()
  const coordinator = await aTeacher({ schoolId: school.id, coordinator: true })
  const teacher = await aTeacher({ schoolId: school.id, coordinator: false })
  return { ...school, coordinator, teacher }
}

test("an e-mail goes to the coordinators or all staff of active schools, or to the school's address if it has no staff", async () => {
  const [school, alone, mute, off] = [
    await aStaffedSchool(),
    await aSchool(),
    await aSchool(),
    await aStaffedSchool(),
  ]
  const { db } = server.deps
  const set = (id: number, columns: { email?: string; active?: boolean }) =>
    db.updateTable('schools').set(columns).where('id', '=', id).execute()
  await set(alone.id, { email: `Office.${alone.id}@schools.example` })
  await set(mute.id, { email: '' })
  await set(off.id, { active: false })
  const ids = idsOf(school, alone, mute, off)
  const counted = async (readers: string) => {
    const { schools, mails, off: inactive, unreachable } = await plan(ids, readers)
    return [schools, mails, inactive, unreachable]
  }
  assert.deepEqual(await counted('coordinators'), [2, 2, 1, 1])
  assert.deepEqual(await counted('everyone'), [2, 3, 1, 1])
  const { body } = await send(2, { ids })
  await server.jobs.drain()
  await server.outbox.drain()
  const done = await sent(Number(body.mailingId))
  assert.deepEqual([done.state, done.schools, done.mails, done.left], ['sent', 2, 2, 0])
  const received = async (address: string) => (await mailsTo(server, address)).length
  assert.deepEqual(
    [
      await received(school.coordinator.email),
      await received(school.teacher.email),
      await received(`office.${alone.id}@schools.example`),
      await received(off.coordinator.email),
    ],
    [1, 0, 1, 0],
  )
  const mails = (await server.ask(schoolMails, { id: String(alone.id) }, officer)).data
  assert.deepEqual(valuesOf(mails, 'kind', 'subject', 'state'), [
    ['mailing', `${alone.name}: ₹ … due`, 'sent'],
  ])
  const { data } = await server.ask(officeSchoolHistory, { id: String(alone.id) }, officer)
  assert.deepEqual([data[0]?.action, data[0]?.actorKind], ['mailing.sent', 'office'])
})

test('the preview is the e-mail that a school gets, with what it owes now; a test goes to the officer alone', async () => {
  const school = await aStaffedSchool()
  await anEnteredStudent(server, school.coordinator)
  const body = { ...written, ids: idsOf(school), at: 7 }
  const preview = await server.ask(previewMailing, body, officer)
  assert.deepEqual([preview.schCode, preview.to], [school.code, [school.coordinator.name]])
  assert.match(preview.subject, /: ₹[1-9][\d,]* due$/)
  assert.ok(preview.text.includes(school.code) && !/[{}]/.test(preview.text))
  const { at: _, ...tested } = body
  assert.equal((await server.send(testMailing, { body: tested }, officer)).status, 200)
  await server.outbox.drain()
  assert.equal((await mailsTo(server, school.coordinator.email)).length, 0)
  await send(1, { ids: idsOf(school) })
  await server.jobs.drain()
  await server.outbox.drain()
  const [mail] = await mailsTo(server, school.coordinator.email)
  assert.deepEqual([mail?.subject, mail?.text.trim()], [preview.subject, preview.text.trim()])
})

test('the outbox and its file are narrowed to the e-mails of one mailing, also when searched', async () => {
  const schools = [await aStaffedSchool(), await aStaffedSchool(), await aStaffedSchool()]
  const { body } = await send(3, { ids: idsOf(...schools) })
  await send(1, { ids: idsOf(...schools.slice(0, 1)) })
  await server.jobs.drain()
  await server.outbox.drain()
  const mailingId = Number(body.mailingId)
  const [lost = 0, back = 0, arrived = 0] = (
    await findRows('outbox', { mailing_id: mailingId }, ['id'], 'id')
  ).map(({ id }) => id)
  await changeRows('outbox', { id: lost }, { done_at: null, failed_at: aDay })
  await addRow('mail_bounces', { outbox_id: back, at: aDay, status: '5.1.1', reason: 'No such mailbox' })
  const list = (state: MailView, more: { search?: string; mailing?: string } = {}) =>
    server.ask(mailQueue, { state, mailing: String(mailingId), ...more }, officer)
  const found = async (...asked: Parameters<typeof list>) => {
    const { data, total } = await list(...asked)
    assert.equal(total, data.length)
    return data.map(({ id, state }) => [id, state])
  }
  const all = [
    [arrived, 'sent'],
    [back, 'bounced'],
    [lost, 'failed'],
  ]
  assert.deepEqual(await found('all'), all)
  assert.deepEqual(await found('all', { search: 'e-mail to schools' }), all)
  assert.deepEqual(await found('all', { search: 'password reset' }), [])
  assert.deepEqual(await found('sent'), [[arrived, 'sent']])
  assert.deepEqual(await found('bounced'), [[back, 'bounced']])
  assert.deepEqual(await found('failed', { search: 'e-mail to schools' }), [[lost, 'failed']])
  const { counts, mailing } = await list('waiting')
  assert.deepEqual(counts, { failed: 1, bounced: 1, waiting: 0 })
  assert.deepEqual(mailing, { subject: written.subject, at: aDay.toISOString() })
  const unknown = await list('all', { mailing: '999999999' })
  assert.deepEqual([unknown.total, unknown.mailing], [0, null])
  const inFile = async (state: MailView) =>
    (await takeCsv(server, exportMails, { state, search: '', mailing: mailingId }, officer)).lines
  const [heads, ...rows] = await inFile('all')
  assert.match(heads ?? '', /,Status,When,/)
  assert.deepEqual(
    rows.map((row) => /,(Sent|Returned|Failed),/.exec(row)?.[1]),
    ['Sent', 'Returned', 'Failed'],
  )
  assert.equal((await inFile('failed')).length, 2)
})

test('a mailing that resumes after a crash writes to no school twice, and one that is stopped sends no more', async () => {
  const schools = [await aStaffedSchool(), await aStaffedSchool(), await aStaffedSchool()]
  await server.jobs.stop()
  const { body } = await send(3, { ids: idsOf(...schools) })
  const mailingId = Number(body.mailingId)
  const scope = { kind: 'office', staffId: officer.id, name: 'Radhika' } as unknown as Parameters<
    typeof mailNextBatch
  >[1]
  const mailNext = (most: number) =>
    server.deps.db
      .transaction()
      .execute((tx) =>
        mailNextBatch(tx, scope, aDay, { mailingId, link: 'https://podium.example/login', limit: most }),
      )
  const crash = server.deps.db.transaction().execute(async (tx) => {
    await mailNextBatch(tx, scope, aDay, { mailingId, link: 'https://podium.example/login', limit: 2 })
    throw new Error('the process dies')
  })
  await assert.rejects(crash, /dies/)
  assert.equal((await sent(mailingId)).done, 0)
  assert.equal(await mailNext(2), 2)
  const half = await sent(mailingId)
  assert.deepEqual([half.state, half.done, half.mails], ['sending', 2, 2])
  assert.equal((await server.send(stopMailing, { body: { mailingId } }, officer)).status, 200)
  assert.equal((await sent(mailingId)).state, 'stopped')
  assert.deepEqual([await mailNext(2), await mailNext(2)], [1, 0])
  const mails = await findRows('outbox', { mailing_id: mailingId }, ['id'], 'id')
  assert.equal(mails.length, 3)
  const [lost = 0, back = 0] = mails.map(({ id }) => id)
  await changeRows('outbox', { id: lost }, { failed_at: aDay })
  await changeRows('outbox', { id: back }, { done_at: aDay })
  await addRow('mail_bounces', { outbox_id: back, at: aDay, status: '5.1.1', reason: 'No such mailbox' })
  const { waiting, failed, returned } = await sent(mailingId)
  assert.deepEqual([waiting, failed, returned], [1, 1, 1])
})

test('an e-mail is not sent to no schools, to a different number than shown, or with an unknown placeholder', async () => {
  const school = await aStaffedSchool()
  const ids = idsOf(school)
  const refused = async (answer: ReturnType<typeof send>) => (await answer).body.code
  const mute = await aSchool()
  await changeRows('schools', { id: mute.id }, { email: '' })
  assert.equal(await refused(send(1, { ids: idsOf(mute) })), 'mailings.none')
  assert.equal(await refused(send(2, { ids })), 'mailings.changed')
  assert.equal((await send(1, { ids }, await anOfficer('accounts'))).status, 403)
  assert.deepEqual((await send(1, { ids, body: 'Dear {student}' })).body.issues, [
    { path: 'body', message: 'Something in braces is not one of the placeholders of this e-mail.' },
  ])
})

test('for more than fifty schools the officer types their number and has confirmed their identity recently', async () => {
  const schools = await Promise.all(Array.from({ length: 51 }, () => aSchool()))
  for (const { id } of schools) await changeRows('schools', { id }, { email: `many.${id}@schools.example` })
  const ids = idsOf(...schools)
  assert.equal((await plan(ids)).schools, 51)
  assert.deepEqual((await send(51, { ids })).body.issues, [
    { path: 'typed', message: 'Type the number of schools.' },
  ])
  assert.equal((await send(51, { ids, typed: ' 51 ' })).status, 200)
  const signedInLongAgo = await anOfficer('operations', new Date(aDay.getTime() - 11 * 60_000))
  await refused('session.confirm', send(51, { ids, typed: '51' }, signedInLongAgo))
})

test('more simultaneous mailings than database connections are all answered', {
  timeout: 60_000,
}, async () => {
  const ids = idsOf(await aStaffedSchool())
  const { pool } = await testDatabase()
  const most = pool.options.max ?? 10
  // One officer alone can't have this many pending calls.
  const officers = await Promise.all(Array.from({ length: most + 2 }, () => anOfficer('operations')))
  const sending: Array<ReturnType<typeof send>> = []
  // All have begun, or wait for a connection, before the first can continue.
  await server.deps.db.transaction().execute(async (tx) => {
    await sql`lock table school_mailings in share mode`.execute(tx)
    for (const by of officers) sending.push(send(1, { ids }, by))
    while (pool.waitingCount < 3) await setImmediate()
  })
  const answers = await Promise.all(sending)
  assert.deepEqual([...new Set(valuesOf(answers, 'status'))], [200])
})

/** Schools with a common name: one with an unpaid student, one with a pending payment, one without students. */
async function schoolsInLedger() {
  const word = `Mailquor${randomInt(1e9)}`
  const [owes, idle] = [await aStaffedSchool(), await aStaffedSchool()]
  await anEnteredStudent(server, owes.coordinator)
  const ids = [owes.id, (await aPendingPayment(server)).school.id, idle.id] as const
  for (const id of ids)
    await changeRows('schools', { id }, { name: `${word} ${id}`, name_key: `${word.toLowerCase()} ${id}` })
  const [unpaid, verifying] = ids
  return { search: word, unpaid, verifying }
}

test('an e-mail from the ledger or the reminders goes to exactly the schools that are filtered there', async () => {
  const { search, unpaid, verifying } = await schoolsInLedger()
  const reached = async (choice: Changes, schools: number) => {
    const { status, body } = await send(schools, { search, ...choice })
    assert.equal(status, 200, JSON.stringify(body))
    const rows = await findRows(
      'school_mailing_schools',
      { mailing_id: Number(body.mailingId) },
      ['school_id'],
      'school_id',
    )
    return rows.map((row) => row.school_id)
  }
  const inLedger = async (status: 'owes' | 'verifying') => {
    const query = { FYear: thisSeason, search, status }
    return (await server.ask(officeLedger, query, officer)).data
      .map((row) => row.schoolId)
      .sort((a, b) => a - b)
  }
  assert.deepEqual(await inLedger('verifying'), [verifying])
  assert.deepEqual(
    await inLedger('owes'),
    [unpaid, verifying].sort((a, b) => a - b),
  )
  assert.deepEqual(await reached({ list: 'ledger', balance: 'verifying' }, 1), [verifying])
  assert.deepEqual(
    await reached({ list: 'ledger', balance: 'owes' }, 2),
    [unpaid, verifying].sort((a, b) => a - b),
  )
  assert.deepEqual((await send(3, { search, list: 'ledger', balance: 'owes' })).body.code, 'mailings.changed')

  await storeFigures(server.deps.db, aDay, thisSeason)
  const query = { FYear: thisSeason, search, step: 'pay' as const }
  const toPay = (await server.ask(reminderList, query, officer)).data.map((row) => row.id)
  assert.deepEqual(toPay, [unpaid])
  assert.deepEqual(await reached({ list: 'reminders', step: 'pay' }, 1), toPay)
  const accounts = await anOfficer('accounts')
  assert.equal((await send(1, { search, list: 'ledger', balance: 'verifying' }, accounts)).status, 403)
})
