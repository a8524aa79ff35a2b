import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { getStudentDetails, restoreStudent } from '@podium/contract/students/calls'
import {
  type CarryOptionsInput,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import { importStatus, undoImport } from '@podium/contract/students/calls-import'
import { aDay, eventOf, thisSeason } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import {
  anEnteredStudent,
  aSeasonOfItsOwn,
  aTeacherInSeason,
  lastSeason,
  lastYear,
} from '#test/students-factories'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

interface Teacher {
  token: string
  schoolId: number
}
type Confirmation = BodyOf<typeof confirmCarryOver>

/** What the screen would confirm: those who are proposed and have no issue, or these. */
async function confirmation(
  teacher: Teacher,
  {
    season = thisSeason,
    options = {},
    only,
  }: { season?: Season; options?: CarryOptionsInput; only?: number[] } = {},
): Promise<Confirmation> {
  const { status, body } = await server.call(previewCarryOver, { body: { FYear: season, options } }, teacher)
  assert.equal(status, 200, body.message)
  const chosen = body.rows.filter((row) =>
    only ? only.includes(row.studentId) : row.proposed && row.issues.length === 0,
  )
  const sum = (of: 'regAmount' | 'bookAmount') => chosen.reduce((total, row) => total + row[of], 0)
  return {
    FYear: season,
    options,
    digest: body.digest,
    take: chosen.map((row) => row.studentId),
    regAmount: sum('regAmount'),
    bookAmount: sum('bookAmount'),
  }
}

const confirm = (teacher: Teacher, body: Confirmation) => server.call(confirmCarryOver, { body }, teacher)

async function carried(teacher: Teacher, body: Confirmation) {
  const answer = await confirm(teacher, body)
  assert.equal(answer.status, 200, answer.body.message)
  await server.jobs.drain()
  const { importId } = answer.body
  return (await server.call(importStatus, { query: { importId } }, teacher)).body
}

const list = async (teacher: Teacher, season: Season = thisSeason) =>
  (await server.call(getStudentDetails, { body: { FYear: season } }, teacher)).body.data

const twoSiblings = [
  { name: 'Ira Misaal', rollNo: 1, mobile: '9876500001', cb: 'Mathematics' },
  { name: 'Jai Misaal', classId: 4, rollNo: 2, mobile: '9876500001' },
]

test('the confirmed ones become students like those of an import, siblings in one family', async () => {
  const teacher = await aTeacherInSeason()
  const [ira] = await lastYear(teacher, [...twoSiblings, { name: 'Mira', classId: 12 }])
  const done = await carried(teacher, await confirmation(teacher))
  assert.deepEqual(
    [done.state, done.source, done.fileName, done.imported, done.refused, done.undoable],
    ['done', 'carry-over', '2025-26', 2, [], 2],
  )
  const rows = await list(teacher)
  assert.deepEqual(
    rows.map((row) => [row.className, row.rollNo, row.studentName, row.eventLetter, row.cb, row.regAmount]),
    [
      ['Class 5', 2, 'Jai Misaal', 'M,S', '', 350],
      ['Class 7', 1, 'Ira Misaal', 'M,S', 'Mathematics', 350],
    ],
  )
  const { db } = server.deps
  const ids = rows.map((row) => row.id)
  const kept = await db.selectFrom('students').selectAll().where('id', 'in', ids).execute()
  assert.equal(new Set(kept.map((row) => row.family_link_id)).size, 1)
  assert.ok(kept.some((row) => row.carried_from === ira))
  const trail = await db
    .selectFrom('audit')
    .select('action')
    .where('action', '=', 'student.imported')
    .where('subject_id', 'in', ids.map(String))
    .execute()
  assert.equal(trail.length, 2)
})

test('confirmed twice at once, and again later, it is carried over once', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  const answers = await Promise.all([1, 2, 3].map(() => confirm(teacher, body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(new Set(answers.map((answer) => answer.body.importId)).size, 1)
  const done = await carried(teacher, body)
  assert.deepEqual([done.state, done.imported], ['done', 2])
  assert.equal((await list(teacher)).length, 2)
})

test('two people who confirm different lists at once enter nobody twice', async () => {
  const teacher = await aTeacherInSeason()
  const [ira = 0] = await lastYear(teacher, twoSiblings)
  const both = await confirmation(teacher)
  const options = { rows: [{ studentId: ira, rollno: 77 }] }
  const one = await confirmation(teacher, { options, only: [ira] })
  await Promise.all([confirm(teacher, both), confirm(teacher, one)])
  await server.jobs.drain()
  const names = (await list(teacher)).map((row) => row.studentName)
  assert.equal(new Set(names).size, names.length)
})

test('a child who is there already by the time of the saving is refused by name, whatever the roll no', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  const { importId } = await carried(teacher, body)
  const { db } = server.deps
  await db.updateTable('students').set({ section: 'Z' }).where('import_id', '=', importId).execute()
  // As if the job of another list, planned before, came to the same children now.
  const again = await db
    .updateTable('student_imports')
    .set({ done: 0, imported: 0 })
    .where('id', '=', importId)
    .returning('job_id')
    .executeTakeFirstOrThrow()
  await db.updateTable('jobs').set({ state: 'failed' }).where('id', '=', again.job_id).execute()
  const done = await carried(teacher, body)
  assert.deepEqual(
    [done.imported, done.refused.map((row) => [row.studentName, row.message])],
    [
      0,
      ['Jai Misaal', 'Ira Misaal'].map((name) => [
        name,
        'Someone else has already brought this student over.',
      ]),
    ],
  )
  assert.equal((await list(teacher)).length, 2)
})

test('amounts that have changed since the preview are answered with the new ones, and nothing is saved', async () => {
  const teacher = await aTeacherInSeason()
  const last = await aSeasonOfItsOwn()
  const season = await aSeasonOfItsOwn()
  await lastYear(teacher, twoSiblings, last)
  const body = await confirmation(teacher, { season })
  const { id } = await eventOf('S', season)
  await server.deps.db.updateTable('event_fees').set({ fee: 20_000 }).where('event_id', '=', id).execute()
  const refused = await confirm(teacher, body)
  assert.deepEqual([refused.status, refused.body.code], [409, 'enrolment.amounts_changed'])
  assert.equal(Reflect.get(refused.body, 'regAmount'), 750)
  await server.jobs.drain()
  assert.deepEqual(await list(teacher, season), [])
})

test('a list that has changed since the preview is refused', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  await anEnteredStudent(server, teacher, { rollno: 1, studentName: 'Om Misaal' })
  const refused = await confirm(teacher, body)
  assert.deepEqual([refused.status, refused.body.code], [409, 'changed_meanwhile'])
})

test('a season that has closed since the preview takes nobody', async () => {
  const teacher = await aTeacherInSeason()
  const last = await aSeasonOfItsOwn()
  const season = await aSeasonOfItsOwn()
  await lastYear(teacher, twoSiblings, last)
  const body = await confirmation(teacher, { season })
  await server.deps.db.updateTable('seasons').set({ state: 'closed' }).where('label', '=', season).execute()
  const refused = await confirm(teacher, body)
  assert.deepEqual([refused.status, refused.body.code], [409, 'enrolment.season_closed'])
})

test('who leaves, lacks a subject, has a taken roll no, or is of another school can not be taken along', async () => {
  const teacher = await aTeacherInSeason()
  const stranger = await aTeacherInSeason()
  const [mira = 0, kavya = 0, ira = 0] = await lastYear(teacher, [
    { name: 'Mira', classId: 12 },
    { name: 'Kavya', classId: 14, letters: 'A', subjects: 'Little Star: First English' },
    { name: 'Ira', rollNo: 1 },
  ])
  const [foreign = 0] = await lastYear(stranger, [{ name: 'Somebody' }])
  await anEnteredStudent(server, teacher, { rollno: 5, studentName: 'Om Misaal' })
  const options = { rows: [{ studentId: ira, rollno: 5 }] }
  const body = await confirmation(teacher, { options })
  assert.deepEqual(body.take, [])
  const none = await confirm(teacher, body)
  assert.deepEqual([none.status, none.body.code], [409, 'enrolment.import_empty'])
  const refused = await confirm(teacher, { ...body, take: [mira, kavya, ira, foreign] })
  const notOne = 'This student is not one of those who can be entered.'
  assert.deepEqual(refused.body.code, 'input.invalid')
  assert.deepEqual(
    new Map(issuesOf(refused.body).map(({ path, message }) => [path, message])),
    new Map([
      [`take.${kavya}`, 'Subject is required.'],
      [`take.${ira}`, 'Roll no 5 in Class 7 A is taken by Om Misaal.'],
      [`take.${mira}`, notOne],
      [`take.${foreign}`, notOne],
    ]),
  )
})

const issuesOf = (body: object) => Reflect.get(body, 'issues') as Array<{ path: string; message: string }>

test('who was carried over and deleted is proposed no more, and does not come back beside a second carrying over', async () => {
  const teacher = await aTeacherInSeason()
  const [ira = 0] = await lastYear(teacher, twoSiblings.slice(0, 1))
  await carried(teacher, await confirmation(teacher))
  const [first] = await list(teacher)
  assert.ok(first)
  await server.deps.db.updateTable('students').set({ active: false }).where('id', '=', first.id).execute()
  assert.deepEqual((await confirmation(teacher)).take, [])
  const again = await carried(teacher, await confirmation(teacher, { only: [ira] }))
  assert.equal(again.imported, 1)
  await server.deps.db.updateTable('students').set({ roll_no: 9 }).where('id', '=', first.id).execute()
  const refused = await server.call(restoreStudent, { body: { studentId: first.id } }, teacher)
  assert.deepEqual([refused.status, refused.body.code], [409, 'enrolment.duplicate'])
  assert.equal(refused.body.message, 'Ira Misaal was brought over again and is in the list.')
})

test('taken back, the same list can be carried over once more', async () => {
  const teacher = await aTeacherInSeason()
  await lastYear(teacher, twoSiblings)
  const body = await confirmation(teacher)
  const { importId } = await carried(teacher, body)
  const undone = await server.call(undoImport, { body: { importId } }, teacher)
  assert.deepEqual([undone.body.removed, undone.body.stayed], [2, []])
  assert.deepEqual(await list(teacher), [])
  const again = await carried(teacher, body)
  assert.deepEqual([again.state, again.imported, again.undone], ['done', 2, false])
})

test('a mobile that a family has typed at its child joins it with nobody: the link goes by the one that the school wrote', async () => {
  const teacher = await aTeacherInSeason()
  const { db } = server.deps
  const [mine, theirs] = ['9876500071', '9876500072']
  const [child, sister, stranger] = await lastYear(teacher, [
    { name: 'Ira Misaal', mobile: theirs },
    { name: 'Jai Misaal', mobile: mine },
    { name: 'Om Kalpanik', mobile: theirs },
  ])
  for (const [id, mobile, ids] of [
    ['a', mine, [child, sister]],
    ['b', theirs, [stranger]],
  ] as const) {
    const link = { id: `${id}-${teacher.schoolId}`, school_id: teacher.schoolId, season: lastSeason }
    const codes = { access_code_hash: '', access_code_sealed: '', created_at: aDay }
    await db
      .insertInto('family_links')
      .values({ ...link, parent_mobile: mobile, ...codes })
      .execute()
    const own = ids.filter((one) => one !== undefined)
    await db.updateTable('students').set({ family_link_id: link.id }).where('id', 'in', own).execute()
  }
  await carried(teacher, await confirmation(teacher))
  const rows = await db
    .selectFrom('students as st')
    .innerJoin('family_links as l', 'l.id', 'st.family_link_id')
    .select(['st.carried_from', 'st.parent_mobile', 'l.parent_mobile as link'])
    .where('st.school_id', '=', teacher.schoolId)
    .where('st.season', '=', thisSeason)
    .orderBy('st.carried_from')
    .execute()
  assert.deepEqual(
    rows.map((row) => [row.carried_from, row.parent_mobile, row.link]),
    [
      [child, theirs, mine],
      [sister, mine, mine],
      [stranger, theirs, theirs],
    ],
  )
})

test('children who are carried over with a number that only fills the column have a link each', async () => {
  const teacher = await aTeacherInSeason()
  const mobile = '9999999999'
  await lastYear(teacher, [
    { name: 'Ira Misaal', mobile },
    { name: 'Om Kalpanik', mobile },
  ])
  await carried(teacher, await confirmation(teacher))
  const rows = await server.deps.db
    .selectFrom('students')
    .select(['family_link_id', 'parent_mobile'])
    .where('school_id', '=', teacher.schoolId)
    .where('season', '=', thisSeason)
    .execute()
  assert.deepEqual(
    rows.map((row) => row.parent_mobile),
    [mobile, mobile],
  )
  assert.equal(new Set(rows.map((row) => row.family_link_id)).size, 2)
})

test('a link whose number stood at nobody of this season any more is not handed on to those who are carried over', async () => {
  const teacher = await aTeacherInSeason()
  const { db } = server.deps
  const [id, mobile] = [`left-${teacher.schoolId}`, '9876500081']
  const link = { id, school_id: teacher.schoolId, season: thisSeason, parent_mobile: mobile }
  const codes = { access_code_hash: '', access_code_sealed: '', created_at: aDay }
  await db
    .insertInto('family_links')
    .values({ ...link, ...codes })
    .execute()
  await lastYear(teacher, [
    { name: 'Ira Misaal', mobile },
    { name: 'Jai Misaal', mobile },
  ])
  await carried(teacher, await confirmation(teacher))
  const rows = await db
    .selectFrom('students')
    .select('family_link_id')
    .where('school_id', '=', teacher.schoolId)
    .where('season', '=', thisSeason)
    .execute()
  const links = new Set(rows.map((row) => row.family_link_id))
  assert.deepEqual([rows.length, links.size, links.has(id)], [2, 1, false])
})
