// The calls that schools and families make all day, on the big data set, compared with the floor in the same run
// (floor.ts: node:http, pg, JSON.stringify), alternating, at 1 and at 32 connections.
//   TEST_DATABASE_URL=postgres://… node bench/hot.ts [part of a name]     BENCH_DATABASE=podium_big BENCH_SECONDS=4 BENCH_ROUNDS=3
// The callers share the machine with both, so only the ratio counts. Also prints the CPU time of a call, in the server
// and in the database (its processes on this machine), which is the same on a busy machine.
import { sql } from 'kysely'
import { familyToken, machine, openNamed, quantile, takeSavedAway, teacherToken } from './common.ts'
import { samplesOf } from './samples.ts'
import { ask, type BenchRequest, cpuOf, load, type ServedProgram, serve } from './server.ts'

const name = process.env.BENCH_DATABASE ?? 'podium_big'
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const only = process.argv[2] ?? ''
const port = Number(process.env.PORT ?? 4180)

const database = await openNamed(name)
const { db } = database
const { season, found } = await samplesOf(db, new Date())

/** Returns schools of 50 to 200 students that have paid, each with a signed-in person. */
async function someSchools(): Promise<{ id: number; token: string }[]> {
  const { rows } = await sql<{ id: number }>`
    select s.school_id as id from students s join schools o on o.id = s.school_id and o.active
    where s.season = ${season} and s.school_id % 7 = 3 and s.paid and s.school_id < 4000
    group by 1 having count(*) between 50 and 200 order by 1 limit 60`.execute(db)
  return Promise.all(rows.map(async ({ id }) => ({ id, token: await teacherToken(database, id) })))
}

const schools = await someSchools()
const { rows: links } = await sql<{ id: string }>`
  select distinct family_link_id as id from students where school_id = any(${schools.map(({ id }) => id)}::bigint[]) limit 60`.execute(
  db,
)
const families = await Promise.all(links.map(({ id }) => familyToken(database, id)))
const school = (turn: number) => schools[turn % schools.length] ?? { id: 0, token: '' }
const family = (turn: number) => families[turn % families.length] ?? ''
// Marks this run's rows: no class has so many students.
let roll = 100_000

interface Operation {
  label: string
  /** The target share of the floor's throughput at 32 connections */
  wanted?: number
  floor?: (turn: number) => BenchRequest
  ours: (turn: number) => BenchRequest
}

const ofSchool = (path: string) => (turn: number) => ({
  path: `${path}?FYear=${season}`,
  token: school(turn).token,
})
const operations: Operation[] = [
  {
    label: 'R1 results of a school',
    wanted: 1,
    floor: (turn) => ({ path: `/results?v=${school(turn).id}&v=${found.event}` }),
    ours: (turn) => ({
      path: '/api/ManageResult/Search_School_Result',
      method: 'POST',
      token: school(turn).token,
      body: { fyear: season, eventYearId: found.event, eventLetter: 'M' },
    }),
  },
  {
    label: 'R2 students of a school',
    wanted: 1,
    floor: (turn) => ({ path: `/students?v=${school(turn).id}&v=${season}` }),
    ours: (turn) => ({
      path: '/api/ManageStudent/GetStudentDetails',
      method: 'POST',
      token: school(turn).token,
      body: { FYear: season },
    }),
  },
  {
    label: 'R3 a student saved',
    wanted: 0.6,
    floor: (turn) => ({ path: `/save?v=${school(turn).id}&v=${season}&v=${roll++}` }),
    ours: (turn) => ({
      path: '/api/ManageStudent/SaveStudentDetails',
      method: 'POST',
      token: school(turn).token,
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
  },
  {
    label: 'R4 participation of a school',
    wanted: 1,
    floor: (turn) => ({ path: `/summary?v=${school(turn).id}&v=${season}` }),
    ours: ofSchool('/api/ManageStudent/GetParticipation_Summary'),
  },
  { label: 'dashboard', ours: ofSchool('/api/ManageSchool/Get_DashBoard_Summary') },
  { label: 'deadlines', ours: ofSchool('/api/ManageSchool/Get_Deadlines') },
  { label: 'payments of a school', ours: ofSchool('/api/ManageSchool/Get_DashBoard_Summary_For_Payment') },
  { label: 'statement of a school', ours: ofSchool('/api/ManageSchool/Get_AccountStatement') },
  { label: 'books of a school', ours: ofSchool('/api/ManageStudent/GetBook_Summary') },
  { label: 'parcels of a school', ours: ofSchool('/api/ManageBook/GetOrder') },
  { label: 'online hours of a school', ours: ofSchool('/api/ManageSchool/GET_OnlineExamSchedule') },
  {
    label: 'results of a family',
    ours: (turn) => ({ path: '/api/ManageResult/FamilyResults', token: family(turn) }),
  },
]

const floor = await serve('bench/floor.ts', name, port + 1)
const server = await serve('server/src/main.ts', name, port)
try {
  console.log(`${schools.length} schools; ${machine()}`)
  for (const operation of operations.filter(({ label }) => label.includes(only))) await compare(operation)
  console.log(`memory of the server ${server.memory()} MB, of the floor ${floor.memory()} MB; ${machine()}`)
} finally {
  await server.stop()
  await floor.stop()
  await takeSavedAway(database)
  await database.close()
}

interface Cost {
  speeds: number[]
  times: number[]
  refused: number
  calls: number
  /** CPU seconds in the server and in the database */
  own: number
  database: number
}

function nothing(): Cost {
  return { speeds: [], times: [], refused: 0, calls: 0, own: 0, database: 0 }
}

/** Returns the CPU seconds used by each database connection. */
async function backendSeconds(): Promise<Map<number, number>> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`.execute(db)
  return new Map(rows.map(({ pid }) => [pid, cpuOf(pid)]))
}

async function round(
  cost: Cost,
  server: ServedProgram,
  callers: number,
  next: (turn: number) => BenchRequest,
) {
  const [serverBefore, before] = [server.cpu(), await backendSeconds()]
  const waited = await load(server.url, callers, seconds, next)
  cost.own += server.cpu() - serverBefore
  for (const [pid, seconds] of await backendSeconds()) cost.database += seconds - (before.get(pid) ?? 0)
  cost.speeds.push(waited.perSecond)
  cost.times.push(...waited.times)
  cost.calls += waited.times.length
  cost.refused += waited.refused
}

function milliseconds({ own, database: theirs, calls }: Cost): string {
  return `${((own / calls) * 1000).toFixed(2)} + ${((theirs / calls) * 1000).toFixed(2)}`
}

async function compare({
  label,
  wanted: target,
  floor: floorCall,
  ours: serverCall,
}: Operation): Promise<void> {
  const first = await ask(server.url, serverCall(0))
  if (first.status !== 200) return console.log(`${label}: ${first.status} ${first.text.slice(0, 200)}`)
  // Warm up: the cost of a call is measured on a server that has run for a while.
  for (const [target, next] of [
    [floor, floorCall],
    [server, serverCall],
  ] as const)
    if (next) await load(target.url, 8, seconds, next)
  for (const callers of [1, 32]) {
    const [bare, cost] = [nothing(), nothing()]
    for (let turn = 0; turn < rounds; turn++) {
      if (floorCall) await round(bare, floor, callers, floorCall)
      await round(cost, server, callers, serverCall)
    }
    const [speed, base] = [quantile(cost.speeds, 0.5), quantile(bare.speeds, 0.5)]
    const ratio = floorCall
      ? `${(speed / base).toFixed(2)} of the floor's ${base.toFixed(0)}/s (${milliseconds(bare)})`
      : ''
    const short = callers === 32 && target !== undefined && speed / base < target ? ` ! ${target} wanted` : ''
    console.log(
      `${label.padEnd(28)} ${String(callers).padStart(2)} callers ${speed.toFixed(0).padStart(6)}/s, p50 ${quantile(cost.times, 0.5).toFixed(1)} ms, p99 ${quantile(cost.times, 0.99).toFixed(1)} ms, processor ${milliseconds(cost)} ms ${ratio}${short}${cost.refused > 0 ? `, ${cost.refused} refused` : ''}`,
    )
  }
}
