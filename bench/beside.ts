// How the office's work affects schools: the calls that schools make all day (R1 to R4 of hot.ts and the dashboard) on
// an otherwise idle server, and during each of the office's heavy actions, one after the other. Prints the median and
// the 99th percentile of the schools' waiting times, and the longest block of the server's event loop in CPU time.
//   TEST_DATABASE_URL=postgres://… node bench/beside.ts [part of an action]     BENCH_DATABASE=podium_big BENCH_CALLERS=4
// Marks are imported, computed and released as a correction with the same marks, so the data set is used up a little.
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { machine, officerToken, openNamed, quantile, takeSavedAway, teacherToken } from './common.ts'
import { samplesOf } from './samples.ts'
import { agentOf, ask, type BenchRequest, serve } from './server.ts'

const name = process.env.BENCH_DATABASE ?? 'podium_big'
const only = process.argv[2] ?? ''
const callers = Number(process.env.BENCH_CALLERS ?? 4)
const port = Number(process.env.PORT ?? 4180)
/** Between two calls of one caller, in milliseconds: people, not a flood. */
const pause = 40

const database = await openNamed(name)
const { db, pool } = database
await migrate(database)
const { season, found } = await samplesOf(db, new Date())
const [owner, second, accounts, operations] = await Promise.all(
  (['owner', 'results', 'accounts', 'operations'] as const).map((role) => officerToken(database, role)),
)
const { rows: schools } = await sql<{ id: number }>`
  select s.school_id as id from students s join schools o on o.id = s.school_id and o.active
  where s.season = ${season} and s.school_id % 7 = 3 and s.paid and s.school_id < 4000
  group by 1 having count(*) between 50 and 200 order by 1 limit 30`.execute(db)
const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from schools`.execute(db)
const schoolsAll = counted[0]?.n ?? 0
const tokens = await Promise.all(schools.map(({ id }) => teacherToken(database, id)))
// Higher than those of an earlier run, which remain if a run was interrupted
let roll = 100_000 + (Math.floor(Date.now() / 1000) % 800_000)

const get = (path: string) => (token: string) => ({ path: `${path}?FYear=${season}`, token })
const schoolCalls: ReadonlyArray<(token: string) => BenchRequest> = [
  (token) => ({
    path: '/api/ManageResult/Search_School_Result',
    method: 'POST',
    token,
    body: { fyear: season, eventYearId: found.event, eventLetter: 'M' },
  }),
  (token) => ({
    path: '/api/ManageStudent/GetStudentDetails',
    method: 'POST',
    token,
    body: { FYear: season },
  }),
  get('/api/ManageStudent/GetParticipation_Summary'),
  get('/api/ManageSchool/Get_DashBoard_Summary'),
  (token) => ({
    path: '/api/ManageStudent/SaveStudentDetails',
    method: 'POST',
    token,
    body: {
      FYear: season,
      classId: 7,
      section: 'Z',
      rollno: roll++,
      studentName: `Namuna Child ${roll}`,
      subjectName: 'Mathematics,Science,English',
      cb: 'Mathematics,Science',
    },
  }),
]

interface Impact {
  waits: number[]
  refused: number
  /** Milliseconds */
  took: number
  held: number
}

/** Lets schools call while `act` runs. */
async function measureDuring(act: () => Promise<unknown>): Promise<Impact> {
  const felt: Impact = { waits: [], refused: 0, took: 0, held: 0 }
  let working = true
  let turn = 0
  const caller = async () => {
    while (working) {
      const number = turn++
      const call = schoolCalls[number % schoolCalls.length] ?? schoolCalls[0]
      if (!call) return
      const start = performance.now()
      const { status } = await ask(server.url, call(tokens[number % tokens.length] ?? ''), agentOf(callers))
      felt.waits.push(performance.now() - start)
      if (status !== 200) felt.refused += 1
      await wait(pause)
    }
  }
  await server.held()
  const start = performance.now()
  const all = Array.from({ length: callers }, caller)
  try {
    await act()
  } finally {
    working = false
    await Promise.all(all)
  }
  felt.took = performance.now() - start
  felt.held = await server.held()
  return felt
}

async function call(
  path: string,
  token: string | undefined,
  body?: object,
): Promise<Record<string, unknown>> {
  const { status, text } = await ask(server.url, {
    path,
    token: token ?? '',
    ...(body ? { method: 'POST' as const, body } : {}),
  })
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
  return text.startsWith('{') ? JSON.parse(text) : {}
}

async function send(
  path: string,
  token: string | undefined,
  content: string,
): Promise<Record<string, unknown>> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'bench.csv')
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body.message}`)
  return body
}

/** Waits for a job; reports its end if that is not «done». */
async function waitForJob(jobId: unknown): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ state: string; error: string | null }>`
      select state, error from jobs where id = ${String(jobId)}`.execute(db)
    const state = rows[0]?.state ?? 'gone'
    if (state === 'done') return
    if (state !== 'waiting' && state !== 'running') throw new Error(`the job is ${state}: ${rows[0]?.error}`)
    await wait(100)
  }
}

/** Rows of the largest file that the office sends (issue 4) */
const marksRows = 200_000

/**
 * Returns the marks of the visible version as a file, as the office received them, padded with unknown roll numbers.
 */
async function marksFile(): Promise<string> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const { rows: versions } = await client.query<{ id: number }>(
      `select id from result_sets where event_id = $1 and state = 'released' order by version desc limit 1`,
      [found.event],
    )
    const visible = versions[0]?.id
    const { rows: heads } = await client.query('select sections from events where id = $1', [found.event])
    const names = (heads[0].sections as { name: string }[]).map((section) => section.name)
    const { rows } = await client.query<{ line: string }>(
      `select r.exam_roll_no || case when r.present then ',P,' || (
         select string_agg(trim_scale(x / 10000.0)::text, ',' order by n) from unnest(r.section_marks) with ordinality u (x, n))
         else ',A' || repeat(',', $2::int) end as line
       from results r where r.set_id = $1 and r.exam_roll_no <> '' limit $3::int`,
      [visible, names.length, marksRows],
    )
    const unknownRows = Array.from(
      { length: marksRows - rows.length },
      (_, index) => `NOBODY${index},A${','.repeat(names.length)}`,
    )
    const lines = rows.map(({ line }) => line)
    return [`Roll No,Attendance,${names.join(',')}`, ...lines, ...unknownRows, ''].join('\n')
  } finally {
    client.release(true)
  }
}

/** Adds expired rows for a retention run to delete. */
function addExpiredRows(): Promise<unknown> {
  return sql`insert into rate_limits (key, points, expire) select 'bench-' || n, 1, 1 from generate_series(1, 100000) n
    on conflict (key) do update set expire = 1`.execute(db)
}

/** Matches thousands of students, but not more than the 5,000 that one file may hold. */
const someStudents = schoolsAll > 2_000 ? { search: 'sha', classId: '7' } : { subject: 'M', classId: '7' }

/** Exports one file after the other for some seconds: a single one is done before schools have called often. */
async function exportRepeatedly(list: string, filters: object): Promise<void> {
  for (const until = performance.now() + 5_000; performance.now() < until; )
    await call(`/api/office/${list}/export`, owner, { FYear: season, ...filters })
}

function statementFile(): string {
  const lines = Array.from({ length: 4_000 }, (_, i) => {
    const utr = `BENCH${Date.now()}${String(i).padStart(5, '0')}`
    return `${String(1 + (i % 28)).padStart(2, '0')}/10/2026,NEFT ${utr} SCHOOL FEES ${i},${utr},,${1000 + i}.00`
  })
  return ['Date,Narration,Reference,Debit,Credit', ...lines, ''].join('\n')
}

let setId = 0
const actions: Readonly<Record<string, () => Promise<unknown>>> = {
  'marks imported, 200,000 rows': async () => {
    const query = new URLSearchParams({
      eventYearId: String(found.event),
      again: 'true',
      reason: 'The key of one question was wrong.',
    })
    const { jobId, setId: importedSet } = await send(
      `/api/office/results/import?${query}`,
      second,
      await marksFile(),
    )
    setId = Number(importedSet)
    await waitForJob(jobId)
  },
  'ranks computed': async () => {
    // Also those of unknown roll numbers, which are not part of the data set
    await sql`delete from result_anomalies where set_id = ${setId} and resolved_at is null`.execute(db)
    await waitForJob((await call('/api/office/results/compute', second, { setId })).jobId)
  },
  'results released': async () => {
    await call('/api/office/results/approve', owner, { setId })
    await call('/api/office/results/release', owner, { setId })
  },
  'what is due to be packed': async () => {
    const path = `/api/office/dispatch/due?${new URLSearchParams({ FYear: season, contents: 'books' })}`
    for (let counting = 1; counting > 0; ) counting = Number((await call(path, operations)).counting ?? 0)
  },
  'students exported, XLSX': () => exportRepeatedly('students', { ...someStudents, format: 'xlsx' }),
  'students exported, CSV': () => exportRepeatedly('students', { ...someStudents, format: 'csv' }),
  'receipts exported, CSV': () => exportRepeatedly('receipts', { format: 'csv' }),
  'schools exported, XLSX': () => exportRepeatedly('schools', { format: 'xlsx' }),
  'bank statement, 4,000 lines': async () => {
    const { accounts: ownAccounts } = await call('/api/office/bank/statements', accounts)
    const [account] = ownAccounts as { accountNo: string }[]
    const query = new URLSearchParams({ mapping: '0.1.2.4.3.-1.-1.dmy', accountNo: account?.accountNo ?? '' })
    await waitForJob((await send(`/api/office/bank/import?${query}`, accounts, statementFile())).jobId)
  },
  'admit cards printed': async () => {
    const body = { FYear: season, eventYearId: found.event, kind: 'admit', search: '42' }
    await waitForJob((await call('/api/office/exams/start', operations, body)).jobId)
  },
  'what is too old counted': async () =>
    waitForJob((await call('/api/office/backups/runRetention', owner, { dry: true })).job),
  '100,000 rows deleted, too old': async () =>
    waitForJob((await call('/api/office/backups/runRetention', owner, { dry: false })).job),
}

const server = await serve('server/src/main.ts', name, port)
try {
  console.log(
    `${tokens.length} schools, ${callers} callers that wait ${pause} ms between two calls; ${machine()}`,
  )
  console.log('| beside | seconds | calls | p50 ms | p99 ms | longest ms | held, ms of processor | refused |')
  console.log('|---|---|---|---|---|---|---|---|')
  await addExpiredRows()
  await measureDuring(() => wait(3_000))
  show('nobody else', await measureDuring(() => wait(10_000)))
  for (const [label, act] of Object.entries(actions)) {
    if (!label.includes(only)) continue
    // A whole run takes longer than a proof lasts.
    await sql`update sessions set confirmed_at = ${new Date()} where agent = 'bench'`.execute(db)
    try {
      show(label, await measureDuring(act))
    } catch (error) {
      console.log(`| ${label} | ${(error as Error).message} |`)
    }
  }
  show('nobody else, at the end', await measureDuring(() => wait(5_000)))
  console.log(`memory of the server ${server.memory()} MB; ${machine()}`)
} finally {
  await server.stop()
  await takeSavedAway(database)
  await database.close()
}

function show(label: string, { waits, refused, took, held }: Impact): void {
  const figures = [quantile(waits, 0.5), quantile(waits, 0.99), Math.max(...waits), held]
  const cells = [
    label,
    (took / 1000).toFixed(1),
    waits.length,
    ...figures.map((figure) => figure.toFixed(0)),
    refused,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
