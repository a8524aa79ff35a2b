// Does an acknowledged write survive? A server writes rows one by one and reports each that was acknowledged; at a
// random moment it is killed with SIGKILL, in every second round together with its database's process. Then the
// folder is opened again: every acknowledged row must be there, and every page must be readable.
//   node bench/durability.ts [rounds]
// This is a kill of processes, not a power cut.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../server/src/platform/database.ts'

const rounds = Number(process.argv[2] ?? 30)
const dataDir = mkdtempSync(join(tmpdir(), 'podium-durability-'))
const writer = new URL('../server/test/embedded-writer.ts', import.meta.url)
const totals = { acknowledged: 0, lost: 0, unreadable: 0, slowestReopen: 0 }

/** Processes started by this one, so that the database's process can be killed without the server's help. */
function childrenOf(server: ChildProcess): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}

try {
  for (let round = 1; round <= rounds; round += 1) {
    const server = fork(writer, [dataDir], { execArgv: [] })
    let last = 0
    let count = 0
    server.on('message', (id: number) => {
      last = id
      count += 1
    })
    await once(server, 'message')
    const database = childrenOf(server)
    await wait(100 + Math.random() * 900)
    if (round % 2 === 0) for (const pid of database) process.kill(pid, 'SIGKILL')
    server.kill('SIGKILL')
    await once(server, 'exit')

    const start = performance.now()
    const opened = await openDatabase({
      dataDir,
      onError: (error) => {
        throw error
      },
    })
    totals.slowestReopen = Math.max(totals.slowestReopen, performance.now() - start)
    const { rows } = await sql<{ there: number }>`select count(*) as there from marks
      where id > ${last - count} and id <= ${last} and text = repeat('x', 200)`.execute(opened.db)
    const there = rows[0]?.there ?? 0
    totals.acknowledged += count
    totals.lost += count - there
    // Reads every page of the table and of its index, each row by way of both.
    const whole = await sql<{ heap: number; index: number }>`select
      (select count(*) from marks where length(text) = 200) as heap,
      (select count(*) from (select id from marks where id > 0 order by id) ids) as index`.execute(opened.db)
    if (whole.rows[0]?.heap !== whole.rows[0]?.index) totals.unreadable += 1
    await opened.close()
    console.log(`round ${round}: ${count} acknowledged, ${count - there} lost`)
  }
  console.log({ rounds, ...totals, slowestReopen: `${Math.round(totals.slowestReopen)} ms` })
  if (totals.lost > 0 || totals.unreadable > 0) process.exitCode = 1
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
