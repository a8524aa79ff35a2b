// R5: 1,000 students from one XLSX with all checks on, through the server's own calls, beside the floor of the same run:
// one statement over arrays that writes the same rows (family links, students, enrolments, book choices, audit lines) and
// looks at nothing.
//   TEST_DATABASE_URL=postgres://… node bench/import.ts
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { confirmImport, importStatus, importStudents } from '@podium/contract/enrolment-import'
import { sql } from 'kysely'
import { writeTemplate } from '../server/src/platform/spreadsheet-write.ts'
import { testedKind } from '../server/test/database.ts'
import { aDay, aSeason, aTeacher, thisSeason } from '../server/test/factories.ts'
import { type TestServer, testServer } from '../server/test/server.ts'

const count = Number(process.env.BENCH_ROWS ?? 1_000)
const rounds = 5
const seconds = (from: number) => (performance.now() - from) / 1000
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const titles = [
  'Class',
  'Section',
  'Roll No',
  'Student Name',
  'Parent Name',
  'Parent E-mail',
  'Parent Mobile',
  'Subjects',
  'Comprehensive Book',
  'Previous Test Paper',
]

function workbook(round: number): Promise<Buffer> {
  const rows = Array.from({ length: count }, (_, i) => [
    `Class ${1 + (i % 12)}`,
    'ABCD'[i % 4],
    String(1 + Math.floor(i / 4)),
    `Namunawala Child ${round} ${i}`,
    `Parent ${i}`,
    `parent${round}.${i}@udaharan.example`,
    `9${String(100_000_000 + round * 1_000_000 + i)}`,
    'Mathematics, Science, English',
    'Mathematics',
    i % 2 ? 'Science' : '',
  ])
  return writeTemplate(
    'Students',
    titles.map((title) => ({ title })),
    rows,
    0,
  )
}

async function byTheServer(server: TestServer, round: number) {
  const { token } = await aTeacher()
  const bytes = new Uint8Array(await workbook(round))
  const start = performance.now()
  const checked = await server.call(
    importStudents,
    { query: { FYear: thisSeason } },
    { token, file: { name: 'students.xlsx', bytes } },
  )
  const check = seconds(start)
  if (checked.body.goodCount !== count) throw new Error(JSON.stringify(checked.body.errors?.slice(0, 3)))
  const { importId } = checked.body
  const saving = performance.now()
  await server.call(confirmImport, { body: { importId } }, { token })
  // How long another reader waits meanwhile: the longest of the status calls.
  let longest = 0
  for (;;) {
    const asked = performance.now()
    const { body } = await server.call(importStatus, { query: { importId } }, { token })
    longest = Math.max(longest, seconds(asked))
    if (body.state === 'done') {
      if (body.imported !== count) throw new Error(`imported ${body.imported}`)
      return { check, save: seconds(saving), total: seconds(start), longest }
    }
    if (body.state === 'failed') throw new Error(body.error)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The rows that the server has just written for a school, written once more for another by one bare statement. */
async function byTheFloor(server: TestServer) {
  const { db } = server.deps
  const { schoolId } = await aTeacher()
  const from = (
    await sql<{
      id: number
    }>`select max(school_id) as id from students where school_id < ${schoolId}`.execute(db)
  ).rows[0]?.id
  const { rows } = await sql<Record<string, string | number>>`
    select class_id, section, roll_no, name, name_key, parent_name, parent_email, parent_mobile, subject_names, letters, cb, pyqp,
      reg_amount, reg_retained, book_amount, book_retained, book_count from students where school_id = ${from} order by id`.execute(
    db,
  )
  const lines = await sql<{ at: number; event_id: number; fee: number; retained: number }>`
    select r.at::int - 1 as at, n.event_id, n.fee, n.retained
    from (select id, row_number() over (order by id) as at from students where school_id = ${from}) r join enrolments n on n.student_id = r.id`.execute(
    db,
  )
  const books = await sql<{ at: number; event_id: number; kind: string; price: number; retained: number }>`
    select r.at::int - 1 as at, n.event_id, n.kind, n.price, n.retained
    from (select id, row_number() over (order by id) as at from students where school_id = ${from}) r join book_choices n on n.student_id = r.id`.execute(
    db,
  )
  const trail = await sql<{ change: string }>`
    select change::text from audit where school_id = ${from} and action = 'student.imported' order by id`.execute(
    db,
  )
  const links = await sql<{ mobile: string; hash: string; sealed: string }>`
    select l.parent_mobile as mobile, l.access_code_hash as hash, l.access_code_sealed as sealed
    from students st join family_links l on l.id = st.family_link_id where st.school_id = ${from} order by st.id`.execute(
    db,
  )
  const ids = links.rows.map(() => randomUUID())
  const names = Object.keys(rows[0] ?? {})
  const numbers = new Set([
    'class_id',
    'roll_no',
    'reg_amount',
    'reg_retained',
    'book_amount',
    'book_retained',
    'book_count',
  ])
  const array = (name: string) =>
    sql`${rows.map((row) => row[name])}::${sql.raw(numbers.has(name) ? 'int[]' : 'text[]')}`
  const start = performance.now()
  await sql`
    with linked as (
      insert into family_links (id, school_id, season, parent_mobile, access_code_hash, access_code_sealed, created_at)
      select l.id, ${schoolId}, ${thisSeason}, l.mobile, l.hash, l.sealed, ${aDay}::timestamptz
      from unnest(${ids}::text[], ${links.rows.map((l) => l.mobile)}::text[], ${links.rows.map((l) => l.hash)}::text[], ${links.rows.map((l) => l.sealed)}::text[]) as l (id, mobile, hash, sealed)
    ), noted as (
      insert into audit (at, actor_kind, actor_id, actor_name, school_id, season, action, subject_kind, subject_id, change)
      select ${aDay}::timestamptz, 'account', 1, 'Meera Namunawala', ${schoolId}, ${thisSeason}, 'student.imported', 'student', '1', change::jsonb
      from unnest(${trail.rows.map((line) => line.change)}::text[]) as change
    ), saved as (
      insert into students (school_id, season, created_at, updated_at, ${sql.raw(names.join(', '))}, family_link_id)
      select ${schoolId}, ${thisSeason}, ${aDay}::timestamptz, ${aDay}::timestamptz, r.* from unnest(${sql.join(names.map(array))}, ${ids}::text[]) as r
      returning id, class_id
    ), placed as (select id, class_id, row_number() over (order by id) - 1 as at from saved),
    enrolled as (
      insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, created_at)
      select p.id, w.event_id, ${schoolId}, p.class_id, w.fee, w.retained, ${aDay}::timestamptz
      from unnest(${lines.rows.map((l) => l.at)}::int[], ${lines.rows.map((l) => l.event_id)}::bigint[], ${lines.rows.map((l) => l.fee)}::int[], ${lines.rows.map((l) => l.retained)}::int[]) as w (at, event_id, fee, retained)
        join placed p on p.at = w.at)
    insert into book_choices (student_id, event_id, kind, school_id, class_id, price, retained, created_at)
    select p.id, w.event_id, w.kind, ${schoolId}, p.class_id, w.price, w.retained, ${aDay}::timestamptz
    from unnest(${books.rows.map((l) => l.at)}::int[], ${books.rows.map((l) => l.event_id)}::bigint[], ${books.rows.map((l) => l.kind)}::text[], ${books.rows.map((l) => l.price)}::int[], ${books.rows.map((l) => l.retained)}::int[]) as w (at, event_id, kind, price, retained)
      join placed p on p.at = w.at`.execute(db)
  return seconds(start)
}

test(`import of ${count} students, ${testedKind}`, async () => {
  const server = await testServer({ clock: () => aDay })
  after(() => rmSync(join(server.deps.settings.dataDir), { recursive: true, force: true }))
  await aSeason()
  const runs: Array<Awaited<ReturnType<typeof byTheServer>>> = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    runs.push(await byTheServer(server, round))
    floors.push(await byTheFloor(server))
  }
  const of = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick))
  const floor = median(floors)
  const figures = {
    database: testedKind,
    rows: count,
    'read and checked, s': of((run) => run.check).toFixed(3),
    'saved, s': of((run) => run.save).toFixed(3),
    'in all, s': of((run) => run.total).toFixed(3),
    'longest wait of another call, s': of((run) => run.longest).toFixed(3),
    'floor (bare insert), s': floor.toFixed(3),
    'saving, of the floor': (floor / of((run) => run.save)).toFixed(2),
  }
  console.log(figures)
})
