import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { getColleagues } from '@podium/contract/accounts/calls'
import {
  answerAskedBack,
  saveSchoolDetails,
  withdrawApplication,
} from '@podium/contract/accounts/calls-application'
import {
  answerOffer,
  inviteColleague,
  offerCoordination,
  removeColleague,
  resendInvitation,
  withdrawInvitation,
  withdrawOffer,
} from '@podium/contract/accounts/calls-invitations'
import actionWords from '@podium/contract/audit-log/words-actions.en.json' with { type: 'json' }
import fieldWords from '@podium/contract/audit-log/words-fields.en.json' with { type: 'json' }
import kindWords from '@podium/contract/audit-log/words-kinds.en.json' with { type: 'json' }
import valueWords from '@podium/contract/audit-log/words-values.en.json' with { type: 'json' }
import { deleteBookOrder, saveBookOrder } from '@podium/contract/books/calls'
import type { Endpoint } from '@podium/contract/endpoint'
import { setExamDate } from '@podium/contract/exams/calls'
import { deleteSlot, saveSlot } from '@podium/contract/exams/calls-office'
import { endNotice, saveNotice } from '@podium/contract/notices/calls'
import { restoreMailText, saveMailText } from '@podium/contract/office/calls-mails'
import { sendReminders } from '@podium/contract/office/calls-overview'
import { exportJobs } from '@podium/contract/office/calls-settings'
import { jobKey, jobWords, mailWords } from '@podium/contract/office/words'
import { savePayment, withdrawPayment } from '@podium/contract/payments/calls'
import { rejectPayment, reopenPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import { exportDataRequests } from '@podium/contract/privacy/calls'
import {
  addAffected,
  changeIncident,
  noteIncident,
  openIncident,
  removeAffected,
  saveIncidentMail,
  sendIncidentMail,
} from '@podium/contract/privacy/calls-incidents'
import { acceptQuestion, saveTeacherQuestion, withdrawQuestion } from '@podium/contract/questions/calls'
import { saveContact, setContactStatus } from '@podium/contract/schools/calls'
import { askBackApplication } from '@podium/contract/schools/calls-applications'
import {
  officeInvite,
  officeRemovePerson,
  officeResendInvitation,
  officeWithdrawInvitation,
  renewSchoolLink,
  revokeSchoolLink,
} from '@podium/contract/schools/calls-record'
import {
  addressWorks,
  confirmContact,
  createSchool,
  makeCoordinator,
  saveSchoolRecord,
  setSchoolAccount,
  setSchoolStatus,
} from '@podium/contract/schools/calls-write'
import { confirmReceipt } from '@podium/contract/shipping/calls'
import { packSchool } from '@podium/contract/shipping/calls-orders'
import {
  cancelPacket,
  dispatchPackets,
  movePackets,
  resendPacket,
  saveCourier,
  undoMove,
} from '@podium/contract/shipping/calls-packets'
import { endActing, startActing } from '@podium/contract/staff/calls-act-as-school'
import {
  exportStaff,
  inviteStaff,
  resetSecondFactor,
  sendStaffLink,
  setStaffRole,
  setStaffStatus,
} from '@podium/contract/staff/calls-people'
import { deleteStudentPost, restoreStudent, saveStudentDetails } from '@podium/contract/students/calls'
import { sql } from 'kysely'
import {
  aContact,
  aDay,
  anOfficer,
  aSchool,
  aSchoolForm,
  aSeason,
  aTeacher,
  eventOf,
  thisSeason,
} from '#test/factories'
import { takeCsv } from '#test/file-call'
import {
  anOrder,
  anOrderedBook,
  aPendingPayment,
  aSchoolThatOwes,
  aSubmission,
} from '#test/payments-factories'
import { addRow, changeRows, findRow, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aPaidSchool } from '#test/shipping-factories'
import { anEnteredStudent, anEntry, aSchoolThatMayChoose } from '#test/students-factories'
import { jobHandlers } from './app.ts'
import { leavesOf } from './features/audit-log/rules.ts'
import { describeChange } from './features/audit-log/rules-words.ts'

/**
 * All changes are audited: this makes each writing call, and then every transaction that has written a row anywhere
 * must also have written an audit line. The database itself tells which transaction wrote a row (xmin).
 */
const server = beforehand(() => testServer({ clock: () => aDay }))
const owner = beforehand(() => anOfficer('owner'))
beforehand(async () => {
  // What jobs write after a call, such as a receipt, is not the call's own change.
  await server.jobs.stop()
  await aSeason()
  return {}
})

/** Tables that need no audit line of their own: sessions, queues, counters, recomputed figures. */
const besides = new Set([
  'audit',
  'counters',
  'dispatch_items',
  'dispatch_needs',
  'dispatch_parts',
  'dispatch_releases',
  'dispatch_stale',
  'dispatch_sums',
  'ledger_stale',
  'school_ledgers',
  'files',
  'idempotency_keys',
  'jobs',
  'outbox',
  'rate_limits',
  'result_differences',
  'result_figures',
  'result_lists',
  'school_steps',
  'school_figures',
  'event_figures',
  'event_school_figures',
  'season_figures',
  'sessions',
  'session_tokens',
  'tickets',
])

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`.execute(server.deps.db)
  return rows.map(({ name }) => name).filter((name) => !besides.has(name))
}

/** Returns the transactions since `since` that have written rows of a table. */
async function writers(table: string, since: number): Promise<number[]> {
  const { rows } = await sql<{ x: number }>`
    select distinct xmin::text::bigint as x from ${sql.table(table)}
    where xmin::text::bigint > ${since}`.execute(server.deps.db)
  return rows.map(({ x }) => x)
}

/**
 * Makes a call that must succeed, and returns the tables it wrote without an audit line; `lines` counts all its audit
 * lines.
 */
async function written(endpoint: Endpoint, body: unknown, by: { token: string }) {
  const now = await sql<{ x: number }>`select txid_current() as x`.execute(server.deps.db)
  const since = Number(now.rows[0]?.x)
  const answer = await server.send(endpoint, { body }, by)
  assert.equal(answer.body.result, 'success', `${endpoint.path}: ${JSON.stringify(answer.body)}`)
  const lines = new Set(await writers('audit', since))
  const bare: string[] = []
  for (const table of await tables()) {
    const silent = (await writers(table, since)).filter((transaction) => !lines.has(transaction))
    if (silent.length > 0) bare.push(table)
  }
  return { bare, lines: lines.size, answer: answer.body as Record<string, number> }
}

async function recorded(endpoint: Endpoint, body: unknown, by: { token: string }) {
  const { bare, lines, answer } = await written(endpoint, body, by)
  assert.deepEqual([endpoint.path, bare], [endpoint.path, []])
  assert.ok(lines > 0, `${endpoint.path} left no line`)
  return answer
}

test('the comparison detects a row that was changed without a log entry', async () => {
  const { id } = await aSchool()
  const now = await sql<{ x: number }>`select txid_current() as x`.execute(server.deps.db)
  await changeRows('schools', { id }, { city: 'Elsewhere' })
  assert.equal((await writers('schools', Number(now.rows[0]?.x))).length, 1)
  assert.equal((await writers('audit', Number(now.rows[0]?.x))).length, 0)
})

test('every change by the office to schools, their staff and contacts is logged', async () => {
  const teacher = await aTeacher()
  const id = teacher.schoolId
  await recorded(saveSchoolRecord, { ...aSchoolForm(), id, version: 1 }, owner)
  await recorded(createSchool, { ...aSchoolForm(), schCode: '' }, owner)
  await recorded(makeCoordinator, { id, userId: teacher.id, reason: 'The head said so' }, owner)
  const hema = await aTeacher({ schoolId: id })
  const colleague = { name: 'Tara Kalpanik', emailId: `${randomUUID()}@teachers.example` }
  const { invitationId } = await recorded(officeInvite, { ...colleague, id }, owner)
  await recorded(officeResendInvitation, { id, invitationId }, owner)
  await recorded(officeWithdrawInvitation, { id, invitationId }, owner)
  const invited = await recorded(inviteColleague, colleague, teacher)
  await recorded(resendInvitation, { id: invited.id }, teacher)
  await recorded(withdrawInvitation, { id: invited.id }, teacher)
  await recorded(offerCoordination, { id: hema.id }, teacher)
  const offer = async () => (await server.ask(getColleagues, {}, hema)).offer?.id
  await recorded(withdrawOffer, { id: await offer() }, teacher)
  await recorded(offerCoordination, { id: hema.id }, teacher)
  await recorded(answerOffer, { id: await offer(), accept: false }, hema)
  await recorded(offerCoordination, { id: hema.id }, teacher)
  await recorded(removeColleague, { id: hema.id, version: 1 }, teacher)
  const tara = await aTeacher({ schoolId: id })
  const naveen = await aTeacher({ schoolId: null })
  await recorded(officeRemovePerson, { id, userId: tara.id, version: 1, reason: 'Left' }, owner)
  const details = {
    schName: 'Zuvya Quolex',
    schAddress: '4 Udaharan Street',
    city: 'Namunapur',
    district: 'Namunapur',
    state: 'Karnataka',
    country: 'India',
    pinCode: '560001',
    mobile: '9000000417',
  }
  await recorded(saveSchoolDetails, details, naveen)
  const { id: applied } = await findRow('applications', { user_id: naveen.id })
  await recorded(askBackApplication, { id: applied, version: 1, question: 'Which board?' }, owner)
  await recorded(answerAskedBack, { ...details, id: applied, version: 2, answer: 'CBSE' }, naveen)
  await recorded(withdrawApplication, {}, naveen)
  const { id: contactId } = await recorded(saveContact, aContact, teacher)
  await recorded(confirmContact, { id, contactId, version: 1 }, owner)
  await recorded(setContactStatus, { id: contactId, status: false }, teacher)
  const marked = { address: aContact.email, at: aDay, status: '5.1.1' }
  await addRow('bounced_addresses', marked)
  await recorded(addressWorks, { id, email: aContact.email, at: aDay.toISOString() }, owner)
  const { linkId } = await recorded(renewSchoolLink, { id, linkId: '' }, owner)
  await recorded(revokeSchoolLink, { id, linkId }, owner)
  await recorded(sendReminders, { FYear: thisSeason, ids: [id] }, owner)
  const { token } = await recorded(startActing, { id, reason: 'Asked by phone' }, owner)
  await recorded(endActing, {}, { token: String(token) })
  const user = await findRow('users', { id: teacher.id }, ['version'])
  const off = { enabled: false, reason: 'Left' }
  await recorded(setSchoolAccount, { id, userId: teacher.id, version: user.version, ...off }, owner)
  await recorded(setSchoolStatus, { id, version: 2, active: false, reason: 'Closed' }, owner)
})

test('every change by the office to its own people, notices and e-mail texts is logged', async () => {
  const invitation = { name: 'Tara Kalpanik', emailId: `${randomUUID()}@foundation.example`, role: 'viewer' }
  const { id } = await recorded(inviteStaff, invitation, owner)
  await recorded(sendStaffLink, { id, version: 1 }, owner)
  await recorded(setStaffRole, { id, version: 1, role: 'accounts' }, owner)
  await recorded(resetSecondFactor, { id, version: 2, reason: 'Phone lost' }, owner)
  await recorded(setStaffStatus, { id, version: 3, active: false, reason: 'Left' }, owner)
  const notice = {
    id: 0,
    title: 'Parcels',
    text: 'They leave on Monday.',
    titleHi: '',
    textHi: '',
    important: false,
    audience: 'all',
    states: [],
    schCode: '',
    from: '2026-11-21',
    until: '2026-11-30',
  }
  const made = await recorded(saveNotice, notice, owner)
  await recorded(endNotice, { id: made.id, version: 1 }, owner)
  const which = { kind: 'application-received', language: 'hi' }
  await recorded(saveMailText, { ...which, subject: 'S', body: 'T', version: 0 }, owner)
  await recorded(restoreMailText, { ...which, version: 1 }, owner)
})

test('everything a school enters, orders, pays, chooses and asks is logged, and so is each decision on it', async () => {
  const teacher = await aTeacher()
  const { id } = await anEnteredStudent(server, teacher)
  await recorded(saveStudentDetails, anEntry(), teacher)
  await recorded(deleteStudentPost, { studentId: id }, teacher)
  await recorded(restoreStudent, { studentId: id }, teacher)
  await recorded(saveBookOrder, anOrder(), teacher)
  const reader = await aTeacher()
  const { id: lineId } = await anOrderedBook(server, reader)
  await recorded(deleteBookOrder, { id: lineId }, reader)
  const question = {
    FYear: thisSeason,
    classId: 7,
    eventLetter: 'M',
    chapter: 'Chapter01',
    question: `Which is prime? ${randomUUID()}`,
    option1: '51',
    option2: '53',
    option3: '55',
    option4: '57',
    answer: 2,
  }
  const submitted = await recorded(saveTeacherQuestion, question, teacher)
  await recorded(acceptQuestion, { id: submitted.id, version: 1 }, owner)
  const other = { ...question, question: 'How many sides has a cube?' }
  const { id: unwanted } = await recorded(saveTeacherQuestion, other, teacher)
  await recorded(withdrawQuestion, { id: unwanted }, teacher)
  const { subject, teacher: chooser } = await aSchoolThatMayChoose(server)
  await recorded(
    setExamDate,
    { eventManagementId: subject.eventManagementId, examDateId: subject.secondDateId },
    chooser,
  )
  const owing = await aSchoolThatOwes()
  await recorded(savePayment, await aSubmission(server, owing.token), owing)
  const sent = await aPendingPayment(server)
  await recorded(withdrawPayment, { id: sent.id }, sent)
  const [first, second] = [await aPendingPayment(server), await aPendingPayment(server)]
  await recorded(verifyPayment, { id: first.id, version: 1 }, owner)
  await recorded(rejectPayment, { id: second.id, version: 1, reason: 'Not ours' }, owner)
  await recorded(reopenPayment, { id: second.id, version: 2 }, owner)
})

test('every step of packing, sending, returning and receiving is logged, and so are the slots of online olympiads', async () => {
  const { schoolId, teacher } = await aPaidSchool(server, 1)
  const courier = { courierId: 0, name: `Namuna ${randomUUID()}`, linkTemplate: '', active: true }
  const { courierId } = await recorded(saveCourier, courier, owner)
  const pack = async () => {
    await recorded(packSchool, { FYear: thisSeason, contents: 'books', schoolId }, owner)
    const { id } = await server.deps.db
      .selectFrom('packets')
      .select('id')
      .where('school_id', '=', schoolId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return id
  }
  const wrong = await pack()
  await recorded(cancelPacket, { packetId: wrong, version: 1, remark: 'Wrong class' }, owner)
  const id = await pack()
  await recorded(dispatchPackets, { ids: [id], courierId }, owner)
  const { packets } = await recorded(movePackets, { ids: [id], to: 'In transit' }, owner)
  await recorded(undoMove, { packets }, owner)
  await recorded(movePackets, { ids: [id], to: 'Returned' }, owner)
  const again = { packetId: id, version: 5, remark: 'Open again' }
  const { packetId } = await recorded(resendPacket, again, owner)
  await recorded(dispatchPackets, { ids: [packetId], courierId }, owner)
  await recorded(confirmReceipt, { PacketId: packetId, counts: [0] }, teacher)
  const { id: eventYearId } = await eventOf('K')
  const hours = { from: '2026-12-30T04:30:00Z', to: '2026-12-30T05:30:00Z' }
  const slot = { slotId: 0, eventYearId, ...hours, places: 5 }
  const { slotId } = await recorded(saveSlot, slot, owner)
  await recorded(deleteSlot, { slotId, version: 1 }, owner)
})

test('every step of a data breach is logged', async () => {
  const teacher = await aTeacher()
  const times = { foundDay: '2026-11-21', foundTime: '10:00' }
  const facts = { title: 'Lost', nature: 'lost', happened: 'A list was lost.', ...times }
  const { id = 0 } = await recorded(openIncident, facts, owner)
  const who = { by: 'list', lines: teacher.email }
  await recorded(addAffected, { id, version: 1, who }, owner)
  await recorded(removeAffected, { id, version: 2 }, owner)
  await recorded(addAffected, { id, version: 3, who }, owner)
  await recorded(changeIncident, { id, version: 4, ...facts, extent: 'One list' }, owner)
  await recorded(noteIncident, { id, text: 'Reported to the Board, No. 7' }, owner)
  const mail = { subject: 'About data', text: 'A list was lost.' }
  await recorded(saveIncidentMail, { id, version: 5, mail: { en: mail, hi: mail } }, owner)
  await recorded(sendIncidentMail, { id, version: 6 }, owner)
})

test('every action, kind of record, field and code logged so far has words', async () => {
  const { id: student } = await anEnteredStudent(server, await aTeacher())
  await takeCsv(server, exportDataRequests, { state: 'over', kind: 'erase', student, search: 'tara' }, owner)
  await takeCsv(server, exportStaff, { search: 'tara', role: 'viewer', state: 'invited' }, owner)
  await takeCsv(server, exportJobs, { state: 'failed' }, owner)
  const lines = await server.deps.db
    .selectFrom('audit')
    .select(['action', 'subject_kind as kind', 'change'])
    .execute()
  assert.ok(new Set(valuesOf(lines, 'action')).size > 40)
  const wordless = new Set<string>()
  const look = (words: object, key: string) => {
    if (!Object.hasOwn(words, key)) wordless.add(key)
  }
  for (const { action, kind, change } of lines) {
    look(actionWords, action.replaceAll('.', '_'))
    look(kindWords, kind.replaceAll('-', '_'))
    for (const leaf of leavesOf(change)) {
      for (const field of [...leaf.within, leaf.field])
        if (field !== '' && !field.startsWith('='))
          look(fieldWords, field.replaceAll(/[^a-zA-Z]/g, '').toLowerCase())
      const { from, to, as } = describeChange(action, leaf, (entity, id) => `${entity} ${id}`)
      const codes = as === 'words' && leaf.field !== 'state' ? [from, to] : []
      for (const code of codes.filter((code) => /^[a-z_-]+$/.test(code)))
        look(valueWords, code.replaceAll('-', '_'))
    }
  }
  assert.deepEqual([...wordless], [])
})

test('every kind of e-mail written so far has words in both languages', async () => {
  const { rows } = await sql<{ kind: string }>`select distinct kind from outbox
    order by kind`.execute(server.deps.db)
  const kinds = rows.map(({ kind }) => kind)
  assert.ok(kinds.length > 4, kinds.join())
  for (const words of Object.values(mailWords))
    assert.deepEqual(
      kinds.filter((kind) => !Object.hasOwn(words, kind)),
      [],
    )
})

test('every background job has words in both languages', () => {
  const keys = Object.keys(jobHandlers(server.deps)).map(jobKey)
  assert.ok(keys.length > 10)
  for (const words of Object.values(jobWords))
    assert.deepEqual(
      keys.filter((key) => !Object.hasOwn(words, key)),
      [],
    )
})
