// Measures the preview of last season's students, and the check of as many grid rows, through the server's own calls;
// and as a floor for the preview in the same run: only reading last season's and this season's rows.
//   TEST_DATABASE_URL=postgres://… node --test bench/carry.ts      BENCH_ROWS=1000
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { checkRows } from '@podium/contract/students/calls-grid'
import { sql } from 'kysely'
import { aDay, thisSeason } from '../server/test/factories.ts'
import { type TestServer, testServer } from '../server/test/server.ts'
import { aTeacherInSeason, lastSeason, lastYear } from '../server/test/students-factories.ts'

const count = Number(process.env.BENCH_ROWS ?? 1_000)
const rounds = 7

async function milliseconds(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const quantileOf = (index: number) => (sorted[index] ?? Number.NaN).toFixed(0)
  return `${quantileOf(Math.floor(rounds / 2))} ms (${quantileOf(0)} to ${quantileOf(rounds - 1)})`
}

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

test(`the preview of ${count} students of last season`, async () => {
  const teacher = await aTeacherInSeason()
  const students = Array.from({ length: count }, (_, index) => ({
    name: `Namunawala Child ${index}`,
    classId: 1 + (index % 12),
    section: 'ABCD'[index % 4] ?? 'A',
    rollNo: 1 + Math.floor(index / 12),
    mobile: `9${String(100_000_000 + index)}`,
    cb: 'Mathematics',
  }))
  for (let from = 0; from < count; from += 1_000) await lastYear(teacher, students.slice(from, from + 1_000))
  const body = { FYear: thisSeason, options: {} }
  const first = await server.call(previewCarryOver, { body }, teacher)
  assert.equal(first.body.rows.length, count)
  const { db } = server.deps
  const floor = await milliseconds(() =>
    sql`select * from students
      where school_id = ${teacher.schoolId} and season in (${lastSeason}, ${thisSeason})`.execute(db),
  )
  const preview = await milliseconds(() => server.call(previewCarryOver, { body }, teacher))
  console.log(`preview of ${count}: ${preview}; the rows alone: ${floor}`)
})

test(`the check of ${count} rows of the grid`, async () => {
  const teacher = await aTeacherInSeason()
  const rows = Array.from({ length: count }, (_, index) => ({
    row: index + 1,
    cells: [
      `Class ${1 + (index % 12)}`,
      'ABCD'[index % 4] ?? 'A',
      String(1 + Math.floor(index / 4)),
      `Namunawala Child ${index}`,
      `Parent ${index}`,
      `parent${index}@udaharan.example`,
      `9${String(100_000_000 + index)}`,
      'Mathematics, Science, English',
      'Mathematics',
      '',
      '',
      '',
      '',
    ],
  }))
  const body = { FYear: thisSeason, rows }
  const first = await server.call(checkRows, { body }, teacher)
  assert.equal(first.body.fresh.length, count, JSON.stringify(first.body.faults.slice(0, 3)))
  console.log(`check of ${count}: ${await milliseconds(() => server.call(checkRows, { body }, teacher))}`)
})
