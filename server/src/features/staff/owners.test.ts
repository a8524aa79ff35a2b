import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { makeBackupNow, runRetention } from '@podium/contract/office/calls-backups'
import { askDataRequest, carryOutRequest, checkDataRequest } from '@podium/contract/privacy/calls'
import { approveResults, releaseResults, withdrawRelease } from '@podium/contract/results/calls-office'
import {
  inviteStaff,
  resetSecondFactor,
  setStaffRole,
  setStaffStatus,
} from '@podium/contract/staff/calls-people'
import { exportOfficeStudents } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { openSession } from '#platform/auth/session'
import { aDay, anOfficer, aSchool, aSeason, aTeacher } from '#test/factories'
import { anEvent, asShown, candidates, computeRows } from '#test/results-factories'
import { changeRows } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'
import { manyRows } from './commands-owners.ts'

let now = aDay
/** Two owners who can sign in, and three who get no e-mail. */
let owners: Array<Awaited<ReturnType<typeof anOfficer>>>
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  // E-mails stay in the outbox here, because sent ones lose their text.
  await server.outbox.stop()
  await aSeason()
  owners = [await anOfficer('owner'), await anOfficer('owner')]
  const ids = owners.map(({ id }) => id)
  await changeRows('staff', { id: ids }, { password_hash: 'x' })
  const off = await anOfficer('owner')
  await changeRows('staff', { id: off.id }, { password_hash: 'x', disabled_at: aDay })
})

/** An action's e-mails to owners: the recipients, and the text that all of them get. */
async function announced(act: () => Promise<unknown>) {
  const last = await newest()
  await act()
  const { rows } = await sql<{ address: string; subject: string; text: string; name: string }>`
    select payload->'to'->>'address' as address, payload->'to'->>'name' as name, payload->>'subject' as subject,
      payload->>'text' as text
    from outbox where kind = 'owners' and id > ${last} order by id`.execute(server.deps.db)
  const texts = new Set(rows.map(({ text, name }) => text.replace(name, '…')))
  assert.ok(texts.size <= 1)
  return {
    to: rows.map(({ address }) => address).sort(),
    subject: rows[0]?.subject,
    text: rows[0]?.text ?? '',
  }
}

async function newest(): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id
    from outbox`.execute(server.deps.db)
  return rows[0]?.id ?? 0
}

const everyOwner = () => owners.map(({ email }) => email).sort()
const theOwner = () => {
  const [owner] = owners
  assert.ok(owner)
  return owner
}

/** A call that must succeed. */
async function succeeds(answer: Promise<{ status: number; body: { result: string } }>) {
  const { status, body } = await answer
  assert.equal(status, 200, JSON.stringify(body))
}

test('all active owners are notified when someone is invited, promoted, deactivated or loses a second factor', async () => {
  const owner = theOwner()
  const name = 'Nayana Namuna'
  const body = { name, emailId: `${randomUUID()}@foundation.example`, role: 'viewer' } as const
  const invited = await announced(() => succeeds(server.call(inviteStaff, { body }, owner)))
  assert.deepEqual([invited.to, invited.subject], [everyOwner(), 'A user was invited to the office'])
  assert.match(invited.text, /Radhika Kalpanik has invited Nayana Namuna as viewer\./)

  const { id } = await anOfficer('viewer')
  const reason = 'Left in October'
  const promoted = await announced(() =>
    succeeds(server.call(setStaffRole, { body: { id, version: 1, role: 'owner' } }, owner)),
  )
  assert.deepEqual([promoted.to, promoted.subject], [everyOwner(), 'A role in the office has changed'])
  const reset = await announced(() =>
    succeeds(server.call(resetSecondFactor, { body: { id, version: 2, reason } }, owner)),
  )
  assert.deepEqual([reset.to, reset.subject], [everyOwner(), 'Two-step verification was reset'])
  const off = await announced(() =>
    succeeds(server.call(setStaffStatus, { body: { id, version: 3, active: false, reason } }, owner)),
  )
  assert.deepEqual([off.to, off.subject], [everyOwner(), 'An office account was deactivated'])
  assert.match(off.text, /Reason: Left in October/)
})

test('a refused change notifies no one', async () => {
  const { id } = await anOfficer('viewer')
  const refused = await announced(() =>
    server.call(setStaffRole, { body: { id, version: 9, role: 'owner' } }, theOwner()),
  )
  assert.deepEqual(refused.to, [])
})

test('owners are notified when results are approved or released, and when a release is withdrawn', async () => {
  const event = await anEvent()
  const [child] = await candidates(event, [
    { schoolId: (await aSchool()).id, classId: 7, name: 'Advait Udaharan' },
  ])
  const { setId } = await computeRows(server, event, [{ roll: child?.roll ?? '', marks: [9, 35, 40] }])
  const second = await anOfficer('results')
  const toApprove = await asShown(server, setId)
  const approved = await announced(() => succeeds(server.call(approveResults, { body: toApprove }, second)))
  assert.deepEqual([approved.to, approved.subject], [everyOwner(), 'Results were approved'])
  assert.match(approved.text, new RegExp(`has approved the results of .+, level 1, ${event.season}\\.`))
  const releaseAt = new Date(aDay.getTime() + 86_400_000).toISOString()
  const toRelease = { ...(await asShown(server, setId)), releaseAt }
  const released = await announced(() => succeeds(server.call(releaseResults, { body: toRelease }, second)))
  assert.match(released.text, /from 22-Nov-2026, 11:30 AM on/)
  const withdrawn = await announced(() => succeeds(server.call(withdrawRelease, { body: { setId } }, second)))
  assert.deepEqual([withdrawn.to, withdrawn.subject], [everyOwner(), 'A release of results was cancelled'])
  for (const { text } of [approved, released, withdrawn]) assert.doesNotMatch(text, /Advait/)
})

test('an erasure is announced by the number of its request, without the student', async () => {
  const teacher = await aTeacher()
  const { id: studentId } = await anEnteredStudent(server, teacher, { studentName: 'Ishita Namunawala' })
  const first = await anOfficer('operations')
  const asking = { studentId, kind: 'erase' as const, message: 'By telephone.', contact: '' }
  const body = await server.ask(askDataRequest, asking, first)
  const check = { id: body.id, version: 1, method: 'call-back' as const, note: 'Called back.' }
  await succeeds(server.call(checkDataRequest, { body: check }, first))
  const erased = await announced(() =>
    succeeds(server.call(carryOutRequest, { body: { id: body.id, version: 2 } }, theOwner())),
  )
  assert.deepEqual([erased.to, erased.subject], [everyOwner(), 'A student’s data was erased'])
  assert.match(erased.text, new RegExp(`asked in request no\\. ${body.id}\\.`))
  assert.doesNotMatch(erased.text, /Ishita|Namunawala/)
})

test('each backup and each retention run is announced once while under way, and a dry run is not', async () => {
  await server.jobs.stop()
  const owner = theOwner()
  const backup = await announced(() => succeeds(server.call(makeBackupNow, {}, owner)))
  assert.deepEqual([backup.to, backup.subject], [everyOwner(), 'A backup was started'])
  assert.deepEqual((await announced(() => succeeds(server.call(makeBackupNow, {}, owner)))).to, [])
  const dry = await announced(() => succeeds(server.call(runRetention, { body: { dry: true } }, owner)))
  assert.deepEqual(dry.to, [])
  const run = await announced(() => succeeds(server.call(runRetention, { body: { dry: false } }, owner)))
  assert.deepEqual([run.to, run.subject], [everyOwner(), 'Old data is being deleted'])
})

test('a large export of students is announced once a day per officer, without the search; a small one is not', async () => {
  const FYear = await aSeasonOfItsOwn()
  const { id: schoolId } = await aSchool()
  const many = async (from: number, until: number) =>
    sql`
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, created_at, updated_at)
      select ${schoolId}, ${FYear}, 7, 'A', n, 'Hema Namuna', 'hema namuna', ${now}, ${now}
      from generate_series(${from}::int, ${until}::int) n`.execute(server.deps.db)
  const officer = await anOfficer('operations')
  const taken = (by: { token: string }) => async () => {
    const answer = await server.post(exportOfficeStudents, { FYear, search: 'Hema', format: 'csv' }, by)
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
  }
  await many(1, manyRows - 1)
  assert.deepEqual((await announced(taken(officer))).to, [])
  await many(manyRows, manyRows)
  const large = await announced(taken(officer))
  assert.deepEqual([large.to, large.subject], [everyOwner(), 'A large list has left the portal'])
  assert.match(large.text, /has exported the list of students: 500 rows\./)
  assert.doesNotMatch(large.text, /Hema/)
  assert.deepEqual((await announced(taken(officer))).to, [])
  assert.deepEqual((await announced(taken(await anOfficer('operations')))).to, everyOwner())
  now = new Date(aDay.getTime() + 86_400_000)
  const token = await server.deps.db
    .transaction()
    .execute((tx) => openSession(tx, now, { kind: 'office', staffId: officer.id, source: '', agent: '' }))
  assert.deepEqual((await announced(taken({ token }))).to, everyOwner())
})
