// Every reading call of the office on the big data set, answered by the real server over HTTP: as first opened, with
// each filter, each search, each sort order, deep pages, and searches within filters. The calls are found by walking
// the contract, so none is missed; those that could not be made are listed. The floor in the same run: fifty rows in an
// indexed order by node:http, pg and JSON.stringify.
//   TEST_DATABASE_URL=postgres://… node bench/lists.ts [part of a path]     BENCH_DATABASE=podium_big (bench/big.ts make)
//   BENCH_FROM=/api/office/results/why: continues from this path after an interrupted run
// Marks: `!` median over 300 ms (a route's data must arrive within 300 ms), `~` 99th percentile over 300 ms.

import { machine, officerToken, openNamed, quantile, timeOf } from './common.ts'
import { type Question, questionsOf, readingCalls, samplesOf } from './samples.ts'
import { serve } from './server.ts'

const name = process.env.BENCH_DATABASE ?? 'podium_big'
const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const port = Number(process.env.PORT ?? 4180)
const only = process.argv[2] ?? ''
const first = process.env.BENCH_FROM ?? ''
const limit = 300

interface Measurement {
  path: string
  label: string
  status: number
  rows: number
  total: string
  times: number[]
}

async function ask(url: string, token: string): Promise<Omit<Measurement, 'path' | 'label' | 'times'>> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const body = (await response.json()) as {
    data?: unknown[]
    total?: number
    more?: boolean
    message?: string
  }
  const total = body.total === undefined ? '' : `${body.total}${body.more ? '+' : ''}`
  return {
    status: response.status,
    rows: Array.isArray(body.data) ? body.data.length : 0,
    total: response.ok ? total : (body.message ?? ''),
  }
}

async function measure(
  server: string,
  path: string,
  { label, query }: Question,
  token: string,
): Promise<Measurement> {
  const url = `${server}${path}?${new URLSearchParams(query)}`
  const times: number[] = []
  let answer = { status: 0, rows: 0, total: '' }
  let spent = 0
  for (let round = 0; round < rounds && (round < 3 || spent < 3_000); round++) {
    const time = await timeOf(async () => {
      answer = await ask(url, token)
    })
    // The first round plans the statement and warms the cache; people rarely meet it.
    if (round > 0) times.push(time)
    spent += time
    if (answer.status !== 200) break
  }
  return { path, label, ...answer, times }
}

/** Prints immediately, so that an interrupted run has shown its results. */
function show({ path, label, status, rows, total, times }: Measurement, unit: number): void {
  const [half, slow] = [quantile(times, 0.5), quantile(times, 0.99)]
  const mark = status !== 200 ? '?' : half > limit ? '!' : slow > limit ? '~' : ' '
  if (process.env.BENCH_ALL || mark !== ' ' || label === '')
    console.log(
      `${mark} ${half.toFixed(1).padStart(8)} ms ${slow.toFixed(1).padStart(8)} ms ${(half / unit).toFixed(1).padStart(6)} × ${path} ${label} (${rows} rows${total === '' ? '' : ` of ${total}`}${status === 200 ? '' : `, ${status}`})`,
    )
}

const database = await openNamed(name)
const { samples } = await samplesOf(database.db, new Date())
const token = await officerToken(database, 'owner')
const server = await serve('server/src/main.ts', name, port)
const floor = await serve('bench/floor.ts', name, port + 1)
try {
  const season = samples.FYear?.[0] ?? ''
  const bare = await measure(floor.url, '/list', { label: '', query: { v: season } }, token)
  const unit = quantile(bare.times, 0.5)
  console.log(
    `floor, fifty rows: ${unit.toFixed(1)} ms, p99 ${quantile(bare.times, 0.99).toFixed(1)} ms; ${machine()}`,
  )
  const all: Measurement[] = []
  const skipped: string[] = []
  for (const endpoint of (await readingCalls()).filter(
    ({ path }) => path.startsWith('/api/office/') && path >= first && path.includes(only),
  )) {
    const questions = questionsOf(endpoint, samples)
    if (!questions) skipped.push(endpoint.path)
    for (const question of questions ?? []) {
      const measured = await measure(server.url, endpoint.path, question, token)
      all.push(measured)
      show(measured, unit)
    }
  }
  const beyond = all.filter(({ times }) => quantile(times, 0.5) > limit).length
  console.log(
    `${all.length} questions to ${new Set(all.map(({ path }) => path)).size} calls, ${beyond} beyond ${limit} ms at the median; ${machine()}`,
  )
  console.log(`not asked: ${skipped.join(', ') || 'none'}; memory of the server ${server.memory()} MB`)
} finally {
  await server.stop()
  await floor.stop()
  await database.close()
}
