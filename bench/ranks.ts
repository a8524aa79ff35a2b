// Ranks of 200,000 results of one event (class, state, zone, overall): the product's statement, which also stores the
// pools and what decided each rank, compared with plain window functions into a temporary table; alternating in one
// run.
//   TEST_DATABASE_URL=postgres://… node bench/ranks.ts
// With BENCH_EVENTS=10 the same is then computed for that many events of this size, one after the other, as an office
// does for a season: 2,000,000 results, each event compared with the plain statement on the same marks. Compare the
// ratio, not the seconds of different machines. Also timed: the whole computation of a version (ranks, prizes, medals,
// eligibility, wide rows with reasons) and the reading of its file.
import { loadavg } from 'node:os'
import { seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { insertSeason } from '../server/seed/catalogue.ts'
import { rulesOf, sectionsOf } from '../server/src/features/catalogue/rules.ts'
import { recordMissing, saveRows } from '../server/src/features/results/marks/commands.ts'
import { readHeader, readMarks } from '../server/src/features/results/marks/rules.ts'
import { analyzeMarks, computeSet, followRegister } from '../server/src/features/results/ranking/commands.ts'
import {
  prepareRanking,
  rankStatement,
  rankStudents,
} from '../server/src/features/results/ranking/commands-ranks.ts'
import type { Tx } from '../server/src/platform/db/database.ts'
import { readRows } from '../server/src/platform/sheets/spreadsheet.ts'
import { bulkLimits } from '../server/src/platform/sheets/spreadsheet-rows.ts'
import { benchName, dropDatabase, makeDatabase } from './common.ts'

const students = Number(process.env.BENCH_STUDENTS ?? 200_000)
const schools = Math.ceil(students / 50)
const events = Number(process.env.BENCH_EVENTS ?? 1)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const now = new Date()

const database = await makeDatabase(benchName)
const { db } = database
try {
  const season = seasonOfYear(2026)
  await db.transaction().execute((tx) => insertSeason(tx, season, now))
  const event = await db.selectFrom('events').selectAll().where('letter', '=', 'M').executeTakeFirstOrThrow()
  await makeWorld(season, event.id)
  const sections = sectionsOf(event.sections)
  const set = await db
    .insertInto('result_sets')
    .values({ event_id: event.id, version: 1, state: 'importing', imported_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()

  const csv = await marksFile(sections.map((section) => section.name))
  console.log(`file of ${students.toLocaleString('en-IN')} rows, ${(csv.length / 1024 / 1024).toFixed(1)} MB`)
  const place = { setId: set.id, eventId: event.id, season }
  let peak = 0
  const imported = await seconds(async () => {
    let columns: ReturnType<typeof readHeader> | undefined
    let batch: ReturnType<typeof readMarks>[] = []
    const flush = async () => {
      const full = batch
      batch = []
      await db.transaction().execute((tx) => saveRows(tx, place, full))
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    for await (const { number, cells } of readRows(csv, 'marks.csv', bulkLimits)) {
      if (!columns) {
        columns = readHeader(cells, sections)
        continue
      }
      if (!('columns' in columns)) throw new Error('the columns of the file are wrong')
      batch.push(readMarks(number, cells, columns.columns, sections))
      if (batch.length >= 2_000) await flush()
    }
    await flush()
    await long((tx) => recordMissing(tx, place))
  })
  console.log(
    `reading the file into marks and anomalies: ${imported.toFixed(2)} s, memory at most ${Math.round(peak / 1024 / 1024)} MB`,
  )
  await unhurried('vacuum analyze')

  const computed = {
    setId: set.id,
    eventId: event.id,
    maximumMarks: event.maximum_marks,
    rulesVersion: event.rules_version,
    rules: rulesOf(event),
    sections,
  }
  const times = { bare: [] as number[], pools: [] as number[], product: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await timed((tx) => bare(tx, set.id, sections.length, false)))
    times.pools.push(await timed((tx) => bare(tx, set.id, sections.length, true)))
    times.product.push(
      await long(async (tx) => {
        const greatest = await prepareRanking(tx, set.id)
        return seconds(() => rankStatement(computed, greatest).execute(tx))
      }),
    )
  }
  const [bareTime, poolsTime, productTime] = [median(times.bare), median(times.pools), median(times.product)]
  console.log(`bare statement, four ranks:            ${bareTime.toFixed(2)} s (${show(times.bare)})`)
  console.log(`bare statement, four ranks and pools:  ${poolsTime.toFixed(2)} s (${show(times.pools)})`)
  console.log(`product's statement, with what decided: ${productTime.toFixed(2)} s (${show(times.product)})`)
  console.log(
    `ratio to the bare statement: ${(bareTime / productTime).toFixed(2)}, with pools: ${(poolsTime / productTime).toFixed(2)}`,
  )

  const least = (values: readonly number[]) => Math.min(...values)
  const [bareLeast, poolsLeast, productLeast] = [least(times.bare), least(times.pools), least(times.product)]
  console.log(
    `ratio of the least times: ${(bareLeast / productLeast).toFixed(2)}, with pools: ${(poolsLeast / productLeast).toFixed(2)}`,
  )
  const differences = await compare(computed, set.id, sections.length)
  console.log(`ranks that differ between the two: ${differences}`)
  if (differences !== 0) process.exitCode = 1

  await db.updateTable('result_sets').set({ state: 'computing' }).execute()
  const followed = await seconds(() => long((tx) => followRegister(tx, set.id)))
  console.log(`marks follow the register, nobody has moved: ${followed.toFixed(2)} s`)
  const whole = await seconds(() => compute(set.id))
  console.log(`whole computation into wide rows with reasons: ${whole.toFixed(2)} s`)
  if (events > 1) await wholeSeason(event.id, set.id, sections.length)
} finally {
  await database.close()
  await dropDatabase(benchName)
}

/** The same way as the job. */
async function compute(setId: number): Promise<void> {
  await analyzeMarks(db)
  await db.transaction().execute((tx) => computeSet(tx, now, setId))
}

/** Other marks of the same students in several events; plain ranks and whole computation of each, alternating. */
async function wholeSeason(firstEvent: number, firstSet: number, sections: number): Promise<void> {
  const others = await db
    .selectFrom('events')
    .select('id')
    .where('id', '<>', firstEvent)
    .where('level', '=', 1)
    .orderBy('id')
    .limit(events)
    .execute()
  const times = { bare: 0, whole: 0 }
  let count = 0
  for (const { id } of others) {
    const set = await db
      .insertInto('result_sets')
      .values({ event_id: id, version: 1, state: 'computing', imported_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Each section from a different student, so that no two events have the same order; the first four sections are the
    // event's.
    await long((tx) =>
      sql`
        insert into result_marks (set_id, student_id, school_id, class_id, row_no, present, section_marks, raw_score, final_score)
        select ${set.id}, m.student_id, m.school_id, m.class_id, m.row_no, m.present, o.section_marks, o.raw_score, o.final_score
        from (select *, row_number() over (order by student_id) as n from result_marks where set_id = ${firstSet}) m
        join (select *, row_number() over (order by md5(student_id || '-' || ${id}::bigint)) as n
          from result_marks where set_id = ${firstSet}) o on o.n = m.n`.execute(tx),
    )
    await sql`update events set sections = f.sections, maximum_marks = f.maximum_marks, rules = f.rules
      from events f where f.id = ${firstEvent} and events.id = ${id}`.execute(db)
    await unhurried('analyze result_marks')
    const bareTime = await timed((tx) => bare(tx, set.id, sections, true))
    const wholeTime = await seconds(() => compute(set.id))
    times.bare += bareTime
    times.whole += wholeTime
    const inserted = await sql<{ n: number }>`
      select count(*) as n from results where set_id = ${set.id}`.execute(db)
    count += Number(inserted.rows[0]?.n ?? 0)
    console.log(`event ${id}: bare ranks and pools ${bareTime.toFixed(1)} s, whole ${wholeTime.toFixed(1)} s`)
  }
  console.log(
    `${count.toLocaleString('en-IN')} results of ${others.length} events: bare ${times.bare.toFixed(0)} s, ` +
      `whole computation ${times.whole.toFixed(0)} s, load of the machine ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
  )
}

/** Runs a statement without a time limit. */
async function unhurried(statement: string): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(statement)
    await client.query('reset statement_timeout')
  } finally {
    client.release()
  }
}

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return (performance.now() - start) / 1000
}

function long<Result>(act: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    // The product's settings, from which the plain statement gains too.
    await sql`set local work_mem = '64MB'`.execute(tx)
    await sql`set local jit = off`.execute(tx)
    return act(tx)
  })
}

/** Returns the seconds of the work only, without the transaction around it, which is the same for both. */
async function timed(act: (tx: Tx) => Promise<unknown>): Promise<number> {
  return long((tx) => seconds(() => act(tx)))
}

/** Computes only the ranks, as plain SQL. */
async function bare(tx: Tx, setId: number, sections: number, pools: boolean): Promise<void> {
  const breaks = Array.from({ length: sections }, (_, i) => `section_marks[${i + 1}] desc`).join(', ')
  const rank = (name: string, by: string) =>
    `rank() over (partition by ${by} order by final_score desc, ${breaks}) as ${name}_rank` +
    (pools ? `, count(*) over (partition by ${by}) as ${name}_pool` : '')
  await sql
    .raw(`
      create temp table bare on commit drop as
      select m.student_id, ${rank('class', 'class_id, school_id')}, ${rank('state', 'class_id, country, state')},
        ${rank('zonal', 'class_id, zone')}, ${rank('olympiad', 'class_id')}
      from result_marks m join schools h on h.id = m.school_id
      where m.set_id = ${setId} and m.present`)
    .execute(tx)
}

function compare(
  computed: Parameters<typeof rankStudents>[1],
  setId: number,
  sections: number,
): Promise<number> {
  return long(async (tx) => {
    await bare(tx, setId, sections, false)
    await rankStudents(tx, computed)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from bare b full join ranked r on r.student_id = b.student_id
      where (b.class_rank, b.state_rank, b.zonal_rank, b.olympiad_rank) is distinct from
        (r.class_rank::bigint, r.state_rank::bigint, r.zonal_rank::bigint,
        r.olympiad_rank::bigint)`.execute(tx)
    return rows[0]?.n ?? -1
  })
}

/** Creates schools in 36 states and 6 zones, with students of Class 1 to 12, all paid and enrolled. */
async function makeWorld(season: string, eventId: number): Promise<void> {
  await long(async (tx) => {
    await sql`
      insert into schools (code, name, name_key, address, city, state, zone, country, pin_code, created_at)
      select 'S' || i, 'School ' || i, 'school ' || i, 'Road', 'City', 'State ' || (i % 36), 'Zone ' || (i % 36 / 6),
        'India', '560001', now() from generate_series(1, ${schools}::int) i`.execute(tx)
    await sql`
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, paid, exam_roll_no, created_at, updated_at)
      select 1 + i % ${schools}::int, ${season}, 1 + i / ${schools}::int % 12, 'A', i, 'Student ' || i, 'student ' || i, true,
        'S' || (1 + i % ${schools}::int) || '-' || i, now(), now()
        from generate_series(1, ${students}::int) i`.execute(tx)
    await sql`
      insert into enrolments (student_id, event_id, school_id, class_id, fee, retained, created_at)
      select id, ${eventId}::bigint, school_id, class_id, 17500, 2500, now() from students`.execute(tx)
  })
  await unhurried('analyze')
}

/** Returns marks with a bell-shaped distribution, so that many are equal; one student in a hundred is absent. */
async function marksFile(sections: readonly string[]): Promise<Buffer> {
  const { rows } = await database.pool.query<{ exam_roll_no: string }>(
    'select exam_roll_no from students order by id',
  )
  const maxima = [10, 25, 15, 10]
  let state = 12_345
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const lines = rows.map(({ exam_roll_no }) => {
    if (random() < 0.01) return `${exam_roll_no},A,,,,`
    const skill = (random() + random() + random()) / 3
    const marks = maxima.map((maximum) =>
      Math.round(Math.min(1, Math.max(0, skill + (random() - 0.5) / 3)) * maximum),
    )
    return `${exam_roll_no},P,${marks.join(',')}`
  })
  return Buffer.from([`Roll No,Attendance,${sections.join(',')}`, ...lines, ''].join('\n'))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function show(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ')
}
