import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordHistory } from '@podium/contract/audit-log/calls'
import { resendMails, schoolMails } from '@podium/contract/office/calls-mails'
import { officeWaiting } from '@podium/contract/office/calls-overview'
import {
  addSchoolNote,
  changeSchoolNote,
  deleteSchoolNote,
  officeSchoolHistory,
  schoolNotes,
  setFollowedUp,
} from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { enqueueMail, type Mail } from '#platform/jobs/outbox'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { changeRows, partsOf, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

/** The office's notes on a school, and the e-mails to the school. */
let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const radhika = beforehand(() => anOfficer('operations'))
const accounts = beforehand(() => anOfficer('accounts'))

type Officer = typeof radhika
const call = { kind: 'call', body: 'Called 12-Nov, pays on Monday', followUp: '2026-11-23' } as const
const add = (id: number, by: Officer, fields: Partial<Record<keyof typeof call, string>> = {}) =>
  server.send(addSchoolNote, { body: { ...call, ...fields, id } }, by)
const notes = (id: number, by = radhika) => server.ask(schoolNotes, { id: String(id) }, by)
const latest = async (id: number, by = radhika) => (await notes(id, by)).data[0] ?? assert.fail()
const found = async (followUp: 'due' | 'open', by = radhika) => {
  const query = { FYear: thisSeason, followUp }
  return (await server.ask(officeSchools, query, by)).data.map(({ id }) => id)
}
const waiting = (by = radhika) => server.ask(officeWaiting, {}, by)

test('a note is saved with its author, and its audit line does not contain its text', async () => {
  const { id } = await aSchool()
  assert.deepEqual(await notes(id), { result: 'success', message: '', data: [], total: 0, pageSize: 50 })
  assert.equal((await add(id, radhika)).status, 200)
  const note = await latest(id)
  assert.deepEqual(
    [note.kind, note.body, note.followUp, note.due, note.followedUp, note.isAuthor],
    ['call', call.body, '2026-11-23', false, null, true],
  )
  assert.equal((await latest(id, accounts)).isAuthor, false)
  const history = await server.ask(officeSchoolHistory, { id: String(id) }, radhika)
  assert.equal(history.data[0]?.action, 'note.added')
  assert.ok(!JSON.stringify(history).includes('Monday'))
})

test('a note needs text, a real date, a school that was not merged, and a role that deals with schools', async () => {
  const [school, stays] = [await aSchool(), await aSchool()]
  const refusedAt = async (fields: Parameters<typeof add>[2]) =>
    (await add(school.id, radhika, fields)).body.issues
  assert.deepEqual(await refusedAt({ body: ' ' }), [{ path: 'body', message: 'Please write a note.' }])
  assert.deepEqual(await refusedAt({ followUp: '2026-02-30' }), [
    { path: 'followUp', message: 'Please enter a date like 2026-11-18.' },
  ])
  assert.equal((await add(school.id, await anOfficer('viewer'))).status, 403)
  assert.equal((await add(2_000_000_000, radhika)).status, 404)
  await changeRows('schools', { id: school.id }, { merged_into: stays.id, merged_at: aDay })
  await refused('schools.merged', add(school.id, radhika))
})

test('only the author of a note changes or deletes it, and a change made meanwhile is not overwritten', async () => {
  const { id } = await aSchool()
  await add(id, radhika)
  const { id: noteId, version } = await latest(id)
  const changed = { ...call, body: 'Pays on Tuesday', noteId, version }
  const change = (by: Officer) => server.send(changeSchoolNote, { body: changed }, by)
  const remove = (by: Officer, seen = version) =>
    server.send(deleteSchoolNote, { body: { noteId, version: seen } }, by)
  await refused('notes.not_own', change(accounts))
  await refused('notes.not_own', remove(accounts))
  assert.equal((await change(radhika)).status, 200)
  const after = await latest(id)
  assert.deepEqual([after.body, after.changedAt], ['Pays on Tuesday', now.toISOString()])
  await refused('changed_meanwhile', remove(radhika))
  assert.equal((await remove(radhika, after.version)).status, 200)
  assert.equal((await notes(id)).total, 0)
  assert.equal((await remove(radhika, after.version)).status, 404)
  const lines = await server.ask(recordHistory, { kind: 'note', id: String(noteId) }, radhika)
  assert.deepEqual(valuesOf(lines.data, 'action'), ['note.deleted', 'note.changed', 'note.added'])
})

test('a follow-up is due from its day on, in the overview and the school list, until someone has followed up', async () => {
  const { id } = await aSchool()
  await add(id, radhika)
  await add(id, radhika, { followUp: '' })
  assert.equal((await found('open')).includes(id), true)
  assert.equal((await found('due')).includes(id), false)
  now = new Date('2026-11-22T18:30:00Z')
  const late = await anOfficer('accounts', now)
  assert.equal((await found('due', late)).includes(id), true)
  const { followUps, oldest } = await waiting(late)
  assert.deepEqual(
    [followUps, oldest.followUps],
    [(await found('due', late)).length, '2026-11-22T18:30:00.000Z'],
  )
  const [plain, due] = (await notes(id, late)).data
  assert.ok(plain && due?.due)
  const setDone = (noteId: number, version: number, isDone: boolean) =>
    server.send(setFollowedUp, { body: { noteId, version, done: isDone } }, late)
  await refused('notes.no_follow_up', setDone(plain.id, plain.version, true))
  assert.equal((await setDone(due.id, due.version, true)).status, 200)
  const closed = (await notes(id, late)).data[1] ?? assert.fail()
  assert.deepEqual([closed.due, closed.followedUp?.at], [false, now.toISOString()])
  assert.equal((await found('open', late)).includes(id), false)
  await refused('changed_meanwhile', setDone(due.id, due.version, false))
  await setDone(due.id, closed.version, false)
  assert.equal((await found('due', late)).includes(id), true)
  now = aDay
})

const mails = (id: number, by = radhika) => server.ask(schoolMails, { id: String(id) }, by)
const mail = (changes: Partial<Mail> & Pick<Mail, 'key' | 'to'>) =>
  server.deps.db
    .transaction()
    .execute((tx) =>
      enqueueMail(tx, now, { kind: 'payment-verified', subject: 'Receipt R7', text: 'Hello', ...changes }),
    )

test("a school's page lists the e-mails to its staff without their addresses, and no e-mails to families", async () => {
  const { id } = await aSchool()
  const teacher = await aTeacher({ schoolId: id })
  const to = { name: 'X', address: teacher.email.toUpperCase() }
  await mail({ key: `tab:${id}`, to })
  await mail({ key: `tab:${id}:family`, kind: 'family', to })
  const listed = await mails(id)
  assert.deepEqual(partsOf(listed.data, 'kind', 'subject', 'name', 'state', 'can'), [
    {
      kind: 'payment-verified',
      subject: 'Receipt R7',
      name: teacher.name,
      state: 'waiting',
      can: 'mails.not_failed',
    },
  ])
  assert.equal(listed.data[0]?.to, `${teacher.email.slice(0, 1)}…@${teacher.email.split('@')[1]}`)
  await server.outbox.drain()
  const [sent] = (await mails(id)).data
  assert.deepEqual([sent?.state, sent?.subject, sent?.to, sent?.name], ['sent', '', '', teacher.name])
  assert.equal((await server.call(schoolMails, { query: { id: String(id) } }, accounts)).status, 403)
})

test("a failed e-mail can be sent again from the school's page, unless its code or link has expired", async () => {
  const { id } = await aSchool()
  const { email } = await aTeacher({ schoolId: id })
  const to = { name: 'X', address: email }
  await mail({ key: `again:${id}`, to })
  await mail({ key: `code:${id}`, kind: 'reset', to })
  await changeRows('outbox', { school_id: id }, { failed_at: now })
  const [code, receipt] = (await mails(id)).data
  assert.ok(code && receipt)
  assert.deepEqual([code.can, receipt.can], ['mails.expired', true])
  assert.equal((await mails(id, await anOfficer('viewer'))).data[1]?.can, 'access.denied')
  const again = (mailId: number) => server.send(resendMails, { body: { ids: [mailId] } }, radhika)
  await refused('mails.expired', again(code.id))
  assert.equal((await again(receipt.id)).status, 200)
  const history = await server.ask(officeSchoolHistory, { id: String(id) }, radhika)
  assert.equal(history.data[0]?.action, 'mail.resent')
})

test("a school's history is sorted by time, even when something was recorded later", async () => {
  const { id } = await aSchool()
  await add(id, radhika)
  now = new Date(aDay.getTime() - 86_400_000)
  await add(id, radhika, { kind: 'note' })
  now = aDay
  const history = (before?: number) =>
    server.call(
      officeSchoolHistory,
      { query: { id: String(id), ...(before === undefined ? {} : { before: String(before) }) } },
      radhika,
    )
  const { data } = (await history()).body
  assert.deepEqual(valuesOf(data, 'at'), valuesOf(data, 'at').toSorted().toReversed())
  assert.deepEqual(valuesOf((await history(data[0]?.id)).body.data, 'id'), valuesOf(data.slice(1), 'id'))
})
