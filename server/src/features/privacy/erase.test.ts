import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getFamilyStudents } from '@podium/contract/families'
import { editFamilyStudent } from '@podium/contract/families-edit'
import { askDataRequest, carryOutRequest, checkDataRequest, dataRequests } from '@podium/contract/privacy'
import { schoolCertificate } from '@podium/contract/results-certificates'
import { verifyCertificate } from '@podium/contract/results-public'
import { approveWaiver, askWaiver } from '@podium/contract/waivers'
import { sql } from 'kysely'
import { aDay, anOfficer, aSeason, thisSeason } from '#test/factories'
import { aFamily, aVisitingFamily } from '#test/families-factories'
import { aFoundation, aProof } from '#test/payments-factories'
import { aReleasedEvent } from '#test/results-public-factories'
import { type TestServer, testServer } from '#test/server'
import { aboutChildren, keptAboutChildren, notAboutChildren, plainColumns } from './rules-columns.ts'

let server: TestServer
let first: Awaited<ReturnType<typeof anOfficer>>
let second: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  server = await testServer({ clock: () => aDay })
  // Mails stay where they are written: a text that has left is gone anyway.
  await server.outbox.stop()
  await aSeason()
  await aFoundation()
  first = await anOfficer('operations')
  second = await anOfficer('owner')
})

/** Tables with a row that says this, anywhere in it. */
async function whereSaid(words: string): Promise<string[]> {
  const { db } = server.deps
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  const said: string[] = []
  for (const { name } of rows) {
    const found = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(name)} t where position(lower(${words}) in lower(t::text)) > 0`.execute(
      db,
    )
    if ((found.rows[0]?.n ?? 0) > 0) said.push(name)
  }
  return said
}

async function asked(studentId: number, kind: 'erase' | 'export' = 'erase', words = 'By telephone.') {
  const body = { studentId, kind, words, reach: '' }
  const { body: answer, status } = await server.call(askDataRequest, { body }, first)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer.id
}

async function checked(id: number, note = 'Called back.') {
  const body = { id, version: 1, method: 'call-back' as const, note }
  const { status } = await server.call(checkDataRequest, { body }, first)
  assert.equal(status, 200)
}

const carryOut = (id: number, by: { token: string }, version = 2) =>
  server.call(carryOutRequest, { body: { id, version } }, by)

async function erased(studentId: number) {
  const id = await asked(studentId)
  await checked(id)
  const { status, body } = await carryOut(id, second)
  assert.equal(status, 200, JSON.stringify(body))
  return id
}

test('of an erased child nothing is left in any table, and the money still adds up', async () => {
  const family = await aVisitingFamily(server, [
    { studentName: 'Zarvqa Kelimwala', parentName: 'Hemvqa Kelimwala' },
  ])
  const edit = {
    groupId: family.groupId,
    fYear: thisSeason,
    classId: 7,
    individualRegId: family.id,
    studentName: 'Zarvqa Kelimwala',
    mobileNo: family.mobile,
    email: 'hemvqa@family.example',
  }
  assert.equal((await server.send(editFamilyStudent, { body: edit }, family)).status, 200)
  const waiver = {
    studentId: family.id,
    reason: 'Zarvqa has lost her father.',
    attechment: await aProof(),
    attechmentName: 'Zarvqa.pdf',
  }
  const { body } = await server.call(askWaiver, { body: waiver }, family.teacher)
  const by = await anOfficer('accounts')
  await server.call(approveWaiver, { body: { id: body.id, version: 1 } }, by)
  const id = await asked(family.id, 'erase', 'The mother of Zarvqa wrote.')
  await checked(id, 'Called Hemvqa back.')
  const planted = await whereSaid('vqa')
  for (const table of ['students', 'audit', 'waivers', 'files', 'data_requests', 'outbox'])
    assert.ok(planted.includes(table), `the test plants nothing in ${table}: ${planted}`)
  const before = await sql<{ gross: number }>`
    select reg_amount + book_amount as gross from students where id = ${family.id}`.execute(server.deps.db)
  assert.equal((await carryOut(id, second)).status, 200)
  for (const words of ['vqa', family.mobile]) assert.deepEqual(await whereSaid(words), [], words)
  const left = await server.deps.db
    .selectFrom('students')
    .selectAll()
    .where('id', '=', family.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([left.name, left.parent_mobile, left.family_link_id], ['Erased', '', null])
  assert.equal(left.reg_amount + left.book_amount, before.rows[0]?.gross)
  assert.notEqual(left.erased_at, null)
  const page = await server.send(getFamilyStudents, { query: { GroupId: family.groupId } }, family)
  assert.notEqual(page.body.verified, true, 'the page of the family still opens')
  const list = await server.call(
    dataRequests,
    { query: { state: 'over', student: String(family.id) } },
    first,
  )
  assert.deepEqual([list.body.data[0]?.studentName, list.body.data[0]?.words], ['', ''])
  assert.ok((list.body.data[0]?.outcome.students ?? 0) === 1)
})

test('a certificate of an erased child says what an invented number says, and the ranks of the others stay', async () => {
  const { students, idOf, teacher, event } = await aReleasedEvent(server)
  const winner = students[0]?.id ?? 0
  const made = await fetch(server.url + schoolCertificate.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${teacher.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resultId: idOf(0), language: 'en' }),
  })
  assert.equal(made.status, 200)
  const { number } = await server.deps.db
    .selectFrom('certificates')
    .select('number')
    .where('student_id', '=', winner)
    .executeTakeFirstOrThrow()
  const check = async (asked: string) =>
    (await server.call(verifyCertificate, { query: { number: asked } })).body
  const known = await check(number)
  const ranks = () =>
    sql`select olympiad_rank, class_rank from results where event_id = ${event.id} and student_id <> ${winner} order by student_id`.execute(
      server.deps.db,
    )
  const before = await ranks()
  await erased(winner)
  const unknown = await check('ZZZZZZZZZZZZ')
  assert.notDeepEqual(known, unknown)
  assert.deepEqual(await check(number), unknown)
  assert.deepEqual((await ranks()).rows, before.rows)
})

test("a brother's page and entry stay as they are", async () => {
  const family = await aVisitingFamily(server, [
    { studentName: 'Ira Kelimwala', rollno: 1 },
    { studentName: 'Om Kelimwala', rollno: 2 },
  ])
  await erased(family.ids[0] ?? 0)
  const { body } = await server.call(getFamilyStudents, { query: { GroupId: family.groupId } }, family)
  assert.equal(body.verified, true)
  assert.deepEqual(
    body.data.map(({ studentName, mobileNo }) => [studentName, mobileNo]),
    [['Om Kelimwala', family.mobile]],
  )
})

test('nobody erases alone, nor before it was made sure who asks; the database refuses it too', async () => {
  const { id: child } = await aFamily(server)
  const id = await asked(child)
  const early = await carryOut(id, second, 1)
  assert.deepEqual([early.status, early.body.code], [409, 'privacy.not_checked'])
  await checked(id)
  const alone = await carryOut(id, first)
  assert.deepEqual([alone.status, alone.body.code], [409, 'privacy.second_person'])
  await assert.rejects(
    sql`update data_requests set state = 'done', decided_by = checked_by where id = ${id}`.execute(
      server.deps.db,
    ),
    /check constraint/,
  )
  const there = await server.deps.db
    .selectFrom('students')
    .select('name')
    .where('id', '=', child)
    .executeTakeFirst()
  assert.notEqual(there?.name, 'Erased')
})

test('a child whose payment is being verified is not erased', async () => {
  const { id: child } = await aFamily(server)
  await server.deps.db.updateTable('students').set({ locked: true }).where('id', '=', child).execute()
  const id = await asked(child)
  await checked(id)
  const refused = await carryOut(id, second)
  assert.deepEqual([refused.status, refused.body.code], [409, 'privacy.money_under_way'])
})

test('the records of all seasons of a child go together', async () => {
  const family = await aFamily(server)
  const { db } = server.deps
  const own = await db
    .selectFrom('students')
    .selectAll()
    .where('id', '=', family.id)
    .executeTakeFirstOrThrow()
  await aSeason('2025-26' as typeof thisSeason)
  const { id: _, search_key: __, ...columns } = own as typeof own & { search_key?: string }
  const { id: last } = await db
    .insertInto('students')
    .values({ ...columns, season: '2025-26', family_link_id: null, exam_roll_no: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('students').set({ carried_from: last }).where('id', '=', family.id).execute()
  await erased(family.id)
  const names = await db.selectFrom('students').select('name').where('id', 'in', [family.id, last]).execute()
  assert.deepEqual(
    names.map(({ name }) => name),
    ['Erased', 'Erased'],
  )
})

test('every column of words stands in a list that says whether it is about a child', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns c
    where table_schema = current_schema() and is_generated = 'NEVER'
      and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'character varying', 'uuid')`.execute(
    server.deps.db,
  )
  const elsewhere = new Set(notAboutChildren.split(' '))
  const listed = new Set(
    [
      ...Object.entries(aboutChildren),
      ...Object.entries(plainColumns),
      ...Object.entries(keptAboutChildren).map(([table, { columns }]) => [table, columns] as const),
    ].flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`)),
  )
  const unlisted = rows
    .filter(({ table }) => !elsewhere.has(table))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !listed.has(name))
  const numbers = new Set(['result_marks.section_marks', 'results.section_marks', 'results.tie_breaks'])
  assert.deepEqual(
    unlisted.filter((name) => !numbers.has(name)),
    [],
    'say in rules-columns.ts what these hold',
  )
})
