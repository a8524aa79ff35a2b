// Issue 5: 5,000 students from one XLSX through the server's own calls: read, checked and previewed (under 3 s),
// imported (under 10 s on PostgreSQL). The floor in the same run: the same rows of all five tables by COPY in one
// transaction, without any checks.
//   TEST_DATABASE_URL=postgres://… node bench/import.ts          BENCH_ROWS=1000 BENCH_ROUNDS=5
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { confirmImport, importStatus, importStudents } from '@podium/contract/students/calls-import'
import { writeTemplate } from '../server/src/platform/sheets/spreadsheet-write.ts'
import { testDatabase } from '../server/test/database.ts'
import { aDay, aSeason, aTeacher, thisSeason } from '../server/test/factories.ts'
import { type TestServer, testServer } from '../server/test/server.ts'

const count = Number(process.env.BENCH_ROWS ?? 5_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
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
  const { token, schoolId } = await aTeacher()
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
  // How long another reader waits meanwhile: the longest status call.
  let longest = 0
  for (;;) {
    const callStart = performance.now()
    const { body } = await server.call(importStatus, { query: { importId } }, { token })
    longest = Math.max(longest, seconds(callStart))
    if (body.state === 'done') {
      if (body.imported !== count) throw new Error(`imported ${body.imported}`)
      return {
        schoolId,
        check,
        save: seconds(saving),
        total: seconds(start),
        longest,
        rss: process.memoryUsage.rss(),
      }
    }
    if (body.state === 'failed') throw new Error(body.error)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const moved = 1_000_000_000

/** The columns copied of each table, with other ids and another school. */
const tables: ReadonlyArray<readonly [table: string, of: string, ids: Readonly<Record<string, string>>]> = [
  ['family_links', 'id in (select family_link_id from students where school_id = $1)', { id: "'f' || id" }],
  ['students', 'school_id = $1', { id: `id + ${moved}`, family_link_id: "'f' || family_link_id" }],
  ['enrolments', 'school_id = $1', { student_id: `student_id + ${moved}` }],
  ['book_choices', 'school_id = $1', { student_id: `student_id + ${moved}` }],
  ['audit', "school_id = $1 and action = 'student.imported'", { id: `id + ${moved}` }],
]

/** Copies the rows that the server has just written for a school to another school, by COPY. */
async function byTheFloor(schoolId: number): Promise<number> {
  const { from } = await import('pg-copy-streams')
  const otherTeacher = await aTeacher()
  const { pool } = await testDatabase()
  const client = await pool.connect()
  try {
    const copies: Array<{ into: string; lines: string[] }> = []
    for (const [table, condition, ids] of tables) {
      const columns = await client.query<{ name: string }>(
        'select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position',
        [table],
      )
      const names = columns.rows.map(({ name }) => name)
      const values = names.map((name) => {
        if (name === 'school_id') return `'${otherTeacher.schoolId}'`
        return `coalesce((${ids[name] ?? name})::text, '\\N')`
      })
      const { rows } = await client.query<{ line: string }>(
        `select concat_ws(E'\\t', ${values.join(', ')}) || E'\\n' as line from ${table} where ${condition}`,
        [schoolId],
      )
      copies.push({ into: `${table} (${names.join(', ')})`, lines: rows.map(({ line }) => line) })
    }
    const start = performance.now()
    await client.query('begin')
    for (const { into, lines } of copies)
      await pipeline(Readable.from(lines), client.query(from(`copy ${into} from stdin`)))
    await client.query('commit')
    return seconds(start)
  } finally {
    client.release()
  }
}

test(`import of ${count} students`, async () => {
  const server = await testServer({ clock: () => aDay })
  after(() => rmSync(join(server.deps.settings.dataDir), { recursive: true, force: true }))
  await aSeason()
  const runs: Array<Awaited<ReturnType<typeof byTheServer>>> = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    runs.push(await byTheServer(server, round))
    const { schoolId } = runs.at(-1) ?? { schoolId: 0 }
    floors.push(await byTheFloor(schoolId))
  }
  const medianOf = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick))
  const floor = median(floors)
  const figures = {
    rows: count,
    'read and checked, s': medianOf((run) => run.check).toFixed(3),
    'saved, s': medianOf((run) => run.save).toFixed(3),
    'in all, s': medianOf((run) => run.total).toFixed(3),
    'longest wait of another call, s': medianOf((run) => run.longest).toFixed(3),
    'floor (COPY), s': floor.toFixed(3),
    'saving, times the floor': (medianOf((run) => run.save) / floor).toFixed(1),
    'memory of the server (RSS), MB': Math.round(Math.max(...runs.map((run) => run.rss)) / 1024 / 1024),
  }
  console.log(figures)
})
