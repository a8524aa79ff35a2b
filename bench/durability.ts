// Does an acknowledged write survive? Callers make one write after the other to the real portal on its embedded
// database, and remember which were acknowledged. Repeatedly the portal, or its database, is killed with SIGKILL at a
// random moment. In the end every acknowledged write must exist, completely, and every page of every table must be
// readable.
//   node bench/durability.ts [kills]     60 by default; BENCH_CALLERS=4
// Each write is a one-time password: a ticket and a mail in one transaction, neither of which may exist without the
// other. This kills processes; it does not simulate a power cut.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { freePort } from '../server/src/platform/http/source.ts'

const kills = Number(process.argv[2] ?? 60)
const callers = Number(process.env.BENCH_CALLERS ?? 4)
const dataDir = mkdtempSync(join(tmpdir(), 'podium-durability-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`

const acknowledged: string[] = []
/** Sent, but interrupted before an answer: it may exist or not, but not partly. */
let unanswered = 0
/** Unsuccessful answers by status, while portal or database were away */
const refused: Record<string, number> = {}
let stopping = false
const pauses: Record<'portal' | 'database', number[]> = { portal: [], database: [] }

let portal: ChildProcess = startPortal()

function startPortal(): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, '../server/src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      ...{ PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: url, DEMO: 'off', LOG_LEVEL: 'fatal' },
      TRUST_PROXY: '127.0.0.1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function ready(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (portal.exitCode !== null) throw new Error(`the portal ended with ${portal.exitCode}`)
    await wait(20)
  }
}

let sent = 0
const sourceOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

async function call(caller: number): Promise<void> {
  while (!stopping) {
    const EmailId = `${caller}-${sent++}@durability.example`
    try {
      const answer = await fetch(`${url}${emailVerify.path}`, {
        method: 'POST',
        // The limits count by source, and all these calls come from one.
        headers: { 'content-type': 'application/json', 'x-forwarded-for': sourceOf(sent) },
        body: JSON.stringify({ EmailId }),
      })
      await answer.text()
      if (answer.status === 200) acknowledged.push(EmailId)
      else refused[answer.status] = (refused[answer.status] ?? 0) + 1
    } catch {
      unanswered++
      await wait(20)
    }
  }
}

/** Returns the id of the database's process; 0 if there is none. */
function databasePid(): number {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/**
 * Kills one of the two at a random moment, and waits until everything works again: the portal restarts its database.
 */
async function kill(victim: 'portal' | 'database'): Promise<void> {
  await wait(200 + Math.random() * 3_000)
  const began = performance.now()
  const exit = once(portal, 'exit')
  const pid = databasePid()
  process.kill(victim === 'portal' ? (portal.pid ?? 0) : pid, 'SIGKILL')
  if (victim === 'portal') {
    await exit
    portal = startPortal()
    await ready()
  }
  // From the first answer of the new database on
  const before = acknowledged.length
  while ([0, pid].includes(databasePid()) || acknowledged.length === before) {
    if (victim === 'database' && portal.exitCode !== null)
      throw new Error('the portal ended with its database')
    await wait(20)
  }
  pauses[victim].push(performance.now() - began)
}

async function countLosses(): Promise<{ lost: number; half: number; rows: number }> {
  const { pool, close } = await openDatabase({ dataDir, onError: (error) => console.error(error.message) })
  try {
    await pool.query('set statement_timeout = 0')
    const { rows: results } = await pool.query<{ lost: number }>(
      'select count(*)::int as lost from unnest($1::text[]) as a (email) where not exists (select from tickets t where t.email = a.email)',
      [acknowledged],
    )
    const { rows: halves } = await pool.query<{ half: number }>(
      `select count(*)::int as half
       from (select id_hash from tickets where kind = 'otp') as t (id)
       full join (select substr(key, 5) from outbox where kind = 'otp') as m (id) using (id)
       where t.id is null or m.id is null`,
    )
    const { rows: tables } = await pool.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
    )
    let rows = 0
    for (const { name } of tables) {
      const count = await pool.query<{ n: number }>(
        `select count(hashtext(t::text))::int as n from ${name} t`,
      )
      rows += count.rows[0]?.n ?? 0
    }
    return { lost: results[0]?.lost ?? -1, half: halves[0]?.half ?? -1, rows }
  } finally {
    await close()
  }
}

const middle = (values: number[]) =>
  `${Math.round([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0)} ms`
const longest = (values: number[]) => `${Math.round(Math.max(...values))} ms`

try {
  await ready()
  const all = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  for (let n = 0; n < kills; n++) {
    await kill(n % 2 === 0 ? 'portal' : 'database')
    if (n % 10 === 9) console.log(`${n + 1} kills, ${acknowledged.length} acknowledged`)
  }
  stopping = true
  await all
  const ended = once(portal, 'exit')
  portal.kill('SIGTERM')
  await ended
  const { lost, half, rows } = await countLosses()
  console.log({
    ...{ kills, acknowledged: acknowledged.length, lost, half, unanswered, refused, 'rows read': rows },
    'from a kill of the portal to the next acknowledged write, median and longest': `${middle(pauses.portal)}, ${longest(pauses.portal)}`,
    'of the database': `${middle(pauses.database)}, ${longest(pauses.database)}`,
  })
  if (lost !== 0 || half !== 0) process.exitCode = 1
} finally {
  portal.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
