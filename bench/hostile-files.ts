// Whether the portal still answers others while it receives malicious files: requests /healthz every 20 ms, first on an
// idle server and then while twenty such files arrive at once from signed-in schools, in several rounds. Prints the
// median, 99th percentile and maximum in both cases, the longest block of the server's event loop in CPU time
// (`holds.ts`), and the result for each file.
//   TEST_DATABASE_URL=postgres://… node bench/hostile-files.ts [rounds, default 3]
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { sheetOf, workbook, zip } from '../server/test/archives.ts'
import { benchName, dropDatabase, machine, makeDatabase, quantile, teacherToken } from './common.ts'
import { type ServedProgram, serve } from './server.ts'

const every = 20
const files = 20
/** How long to measure on an idle server, and after the last file, in milliseconds. */
const alone = 3_000
const after = 200

/**
 * Requests /healthz at intervals, answered or not, until told to stop; in a separate thread, so that sending the files
 * is not measured.
 */
function askHealth(url: string): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const waits: Promise<number>[] = []
  const once = () =>
    new Promise<number>((resolve, reject) => {
      const start = performance.now()
      const call = request(`${url}/healthz`, { agent }, (response) => {
        response.resume().on('end', () => resolve(performance.now() - start))
      })
      call.on('error', reject).end()
    })
  const timer = setInterval(() => waits.push(once()), every)
  parentPort?.once('message', async () => {
    clearInterval(timer)
    parentPort?.postMessage(await Promise.all(waits))
    agent.destroy()
  })
}

interface Impact {
  waits: number[]
  held: number
}

/** Returns the times of /healthz while `act` runs, and the longest block meanwhile, in milliseconds. */
async function measureDuring(served: ServedProgram, act: () => Promise<unknown>): Promise<Impact> {
  const asking = new Worker(new URL(import.meta.url), { workerData: { url: served.url } })
  await new Promise((resolve) => asking.once('online', resolve))
  await wait(after)
  await served.held()
  await act()
  await wait(after)
  const longest = await served.held()
  const times = new Promise<number[]>((resolve) => asking.once('message', resolve))
  asking.postMessage('stop')
  return { waits: await times, held: longest }
}

/** 30 MB of escaped names in 29 kB: they once took 1.4 GB and five seconds of the server itself. */
function inflatingPdf(): Buffer {
  const packed = deflateSync(Buffer.from('#41'.repeat(10_000_000)), { level: 9 })
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n2 0 obj<</Filter/FlateDecode>>\nstream\n'),
    packed,
    Buffer.from('\nendstream endobj\n%%EOF\n'),
  ])
}

/** 25 million pixels of the deepest kind in a few hundred kB, the most that is ever decoded. */
const pictureBomb = (): Promise<Buffer> =>
  sharp({ create: { width: 5_000, height: 5_000, channels: 4, background: '#e6a70f80' } })
    .toColourspace('rgb16')
    .png({ compressionLevel: 9 })
    .toBuffer()

/** A sheet that unpacks to just below the limit of the table of contents, from a hundredth of that. */
function zipBomb(): Buffer {
  const cell = `<c t="inlineStr"><is><t>${'A'.repeat(170)}</t></is></c>`
  const rows = Array.from({ length: 4_900 }, (_, index) => `<row r="${index + 1}">${cell.repeat(38)}</row>`)
  return zip(workbook(sheetOf(rows.join(''))))
}

/** A single cell at the far end of a sheet. */
const sparseSheet = (): Buffer =>
  zip(workbook(sheetOf('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>')))

interface Child {
  id: number
  school: number
  season: string
}

interface HostileFile {
  kind: string
  send: (url: string) => Promise<Response>
}

function evidence(kind: string, type: string, bytes: Buffer, token: string, child: Child): HostileFile {
  const attechment = `data:${type};base64,${bytes.toString('base64')}`
  const body = JSON.stringify({ studentId: child.id, reason: 'Measured', attechment, attechmentName: 'a' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = (url: string) => fetch(`${url}/api/ManageStudent/AskWaiver`, { method: 'POST', headers, body })
  return { kind, send }
}

function sheet(kind: string, bytes: Buffer, token: string, child: Child): HostileFile {
  const headers = { authorization: `Bearer ${token}` }
  const send = (url: string) => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(bytes)]), 'students.xlsx')
    const path = `/api/ManageStudent/ImportStudents?FYear=${child.season}`
    return fetch(`${url}${path}`, { method: 'POST', headers, body })
  }
  return { kind, send }
}

/** Returns the answer to one file. */
async function outcome(url: string, { kind, send }: HostileFile): Promise<string> {
  const answer = await send(url)
  const { code = 'kept' } = (await answer.json()) as { code?: string }
  return `${kind}: ${answer.status} ${code}`
}

const formatImpact = (name: string, { waits, held }: Impact) =>
  `${name.padEnd(18)} ${String(waits.length).padStart(5)} ${[0.5, 0.99, 1]
    .map((part) => quantile(waits, part).toFixed(1).padStart(8))
    .join('')} ${held.toFixed(0).padStart(6)}`

async function measure(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 3)
  const database = await makeDatabase(benchName)
  const { pool } = database
  const port = Number(process.env.PORT ?? 4183)
  const served = await serve('server/src/main.ts', benchName, port, { DEMO: 'on', LOG_LEVEL: 'fatal' })
  try {
    // Students who owe something, from as many schools as possible.
    const { rows: children } = await pool.query<Child>(
      `select id, school, season from (
        select s.id, s.school_id as school, s.season,
          row_number() over (partition by s.school_id order by s.id) as part
        from students s join seasons z on z.label = s.season and z.state = 'open'
        where s.active and not s.paid and s.reg_amount > s.reg_retained
          and exists (select from users u where u.school_id = s.school_id)
          and not exists (select from payment_lines l where l.student_id = s.id and l.live)
          and not exists (select from waivers w where w.student_id = s.id and w.state in ('asked', 'approved'))
      ) t order by part, school limit $1`,
      [files],
    )
    if (children.length < files) throw new Error(`the demo world has ${children.length} children who owe`)
    const bytes = {
      pdf: inflatingPdf(),
      picture: await pictureBomb(),
      bomb: zipBomb(),
      sparse: sparseSheet(),
    }
    const sizes = Object.entries(bytes).map(
      ([name, { length }]) => `${name} ${(length / 1000).toFixed(0)} kB`,
    )
    const hostileFiles = await Promise.all(
      children.map(async (child, index) => {
        const token = await teacherToken(database, child.school)
        if (index % 4 === 0) return evidence('pdf', 'application/pdf', bytes.pdf, token, child)
        if (index % 4 === 1) return evidence('picture', 'image/png', bytes.picture, token, child)
        return index % 4 === 2
          ? sheet('zip bomb', bytes.bomb, token, child)
          : sheet('sparse sheet', bytes.sparse, token, child)
      }),
    )
    console.log(
      `${sizes.join(', ')}; ${new Set(children.map(({ school }) => school)).size} schools; ${machine()}`,
    )
    console.log(`\n/healthz, ms        asked   median     p99     max   held`)
    const [quiet, busy]: [Impact, Impact] = [
      { waits: [], held: 0 },
      { waits: [], held: 0 },
    ]
    const add = (to: Impact, { waits, held }: Impact) => {
      to.waits.push(...waits)
      to.held = Math.max(to.held, held)
    }
    const outcomes = new Map<string, number>()
    let took = 0
    for (let round = 0; round < rounds; round++) {
      add(quiet, await measureDuring(served, () => wait(alone)))
      const start = performance.now()
      add(
        busy,
        await measureDuring(served, async () => {
          const all = await Promise.all(hostileFiles.map((file) => outcome(served.url, file)))
          for (const outcome of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }),
      )
      took += performance.now() - start
      await pool.query(`delete from waivers where reason = 'Measured'`)
      await pool.query('delete from rate_limits')
    }
    console.log(formatImpact('nobody else', quiet))
    console.log(formatImpact(`${files} files at once`, busy))
    console.log(
      `\n${rounds} rounds, ${(took / rounds / 1000).toFixed(1)} s each; memory of the server ${served.memory()} MB`,
    )
    for (const [outcome, count] of [...outcomes].sort())
      console.log(`${String(count).padStart(4)} × ${outcome}`)
  } finally {
    await served.stop()
    await database.close()
    await dropDatabase(benchName)
  }
}

if (isMainThread) await measure()
else askHealth(String(workerData.url))
