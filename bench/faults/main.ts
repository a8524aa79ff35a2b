// node bench/faults/main.ts [minutes, default 10, at least 2] Three instances behind HAProxy, PgBouncer, two PostgreSQL
// servers under Patroni: killed, failed over, migrated and restarted while schools and the office write. Prints what
// was lost, duplicated or refused, and for how long there were no answers.

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Missing } from '../../scripts/machine.ts'
import { messageId } from '../../server/src/platform/mail/bounces.ts'
import { machine } from '../common.ts'
import { type Cluster, killPrimary, startDatabase } from './database.ts'
import { type Call, type Kind, type Load, makeWorld, startLoad, type Write } from './load.ts'
import { type Portals, startPortals } from './portals.ts'
import { endAll, findPrograms, folder, until } from './processes.ts'

// What the database and the mail server hold after a run, compared with what was acknowledged

interface WriteCounts {
  kind: Kind
  sent: number
  acknowledged: number
  lost: number
  doubled: number
  /** Never acknowledged, but present: the answer was lost, not the write */
  unanswered: number
}

/** Counts each mark in the database, together with the rows that must accompany it. */
const questions: Readonly<Record<Kind, string>> = {
  student: `
    select s.name as mark, count(*)::int as times from students s
    join audit a on a.subject_kind = 'student' and a.subject_id = s.id::text and a.action = 'student.added' group by 1`,
  contact: `
    select c.name as mark, count(*)::int as times from contacts c
    join audit a on a.subject_kind = 'contact' and a.subject_id = c.id::text and a.action = 'contact.asked_for' group by 1`,
  payment: `
    select p.remarks as mark, count(*)::int as times from payments p
    join audit a on a.subject_kind = 'payment' and a.subject_id = p.id::text and a.action = 'payment.submitted' group by 1`,
  verification: `
    select p.id::text as mark, count(*)::int as times from payments p
    join audit a on a.subject_kind = 'payment' and a.subject_id = p.id::text and a.action = 'payment.verified'
    where p.state = 'verified' and p.receipt_no is not null group by 1`,
}

async function checkWrites(cluster: Cluster, writes: readonly Write[]): Promise<WriteCounts[]> {
  const counts: WriteCounts[] = []
  for (const kind of Object.keys(questions) as Kind[]) {
    const rows = await cluster.ask<{ mark: string; times: number }>(questions[kind])
    const times = new Map(rows.map(({ mark, times: n }) => [mark, n]))
    const sent = writes.filter((write) => write.kind === kind)
    const marks = new Set(sent.map(({ mark }) => mark))
    const acknowledged = new Set(sent.filter((write) => write.acknowledged).map(({ mark }) => mark))
    counts.push({
      kind,
      sent: marks.size,
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((mark) => !times.has(mark)).length,
      doubled: [...times.values()].filter((n) => n > 1).length,
      unanswered: [...times.keys()].filter((mark) => !acknowledged.has(mark)).length,
    })
  }
  return counts
}

/** What must always hold; each query counts the violations. */
const invariants: Readonly<Record<string, string>> = {
  'students without their line in the record of changes': `
    select from students s where not exists (
      select from audit a where a.subject_kind = 'student' and a.subject_id = s.id::text and a.action = 'student.added')`,
  'payments whose lines are not their sum': `
    select from payments p where p.payable <> (
      select sum(l.gross - l.retained) from payment_lines l where l.payment_id = p.id)`,
  'students of a verified payment who are not paid, or paid without one': `
    select from students s where s.paid <> exists (
      select from payment_lines l join payments p on p.id = l.payment_id
      where l.student_id = s.id and p.state = 'verified')`,
  'receipt numbers that are missing between the first and the last': `
    select from (
      select substring(receipt_no from '\\d+$')::int as n,
        lag(substring(receipt_no from '\\d+$')::int) over (order by substring(receipt_no from '\\d+$')::int) as before
      from payments where receipt_no is not null) numbered
    where n <> before + 1`,
}

async function checkInvariants(cluster: Cluster): Promise<Array<[what: string, times: number]>> {
  const broken: Array<[string, number]> = []
  for (const [what, text] of Object.entries(invariants)) {
    const rows = await cluster.ask<{ n: number }>(`select count(*)::int as n from (${text}) as broken`)
    broken.push([what, rows[0]?.n ?? -1])
  }
  const files = await cluster.ask<{ sha256: string }>('select distinct sha256 from files')
  // s3rver stores an object as a file with its name and an extension.
  const inBucket = readdirSync(join(folder, 'bucket'), { recursive: true, encoding: 'utf8' })
  const stored = new Set(inBucket.map((path) => basename(path).split('.')[0]))
  broken.push(['files whose content is missing', files.filter(({ sha256 }) => !stored.has(sha256)).length])
  return broken
}

/** Waits until the outbox is empty: a killed instance's mail passes to another after five minutes. */
async function mailsLeft(cluster: Cluster): Promise<void> {
  await until(
    'every mail has left',
    async () => {
      const rows = await cluster.ask('select from outbox where done_at is null and failed_at is null')
      return rows.length === 0 || undefined
    },
    420,
  )
}

async function checkMails(cluster: Cluster, mails: Portals['mails']) {
  const rows = await cluster.ask<{ id: number; key: string; failed: boolean }>(
    'select id, key, failed_at is not null as failed from outbox',
  )
  const ids = rows.map((row) => messageId(row, '').replace(/^<|@.*$/g, ''))
  const expected = new Set(ids)
  return {
    written: rows.length,
    lost: ids.filter((id) => !mails.has(id)).length,
    givenUp: rows.filter(({ failed }) => failed).length,
    doubled: [...mails.values()].filter((times) => times > 1).length,
    unknown: [...mails.keys()].filter((id) => !expected.has(id)).length,
  }
}

// The results of a run, in lines, and whether they are as required.

interface Phase {
  name: 'kill of an instance' | 'fail-over' | 'database away' | 'migration' | 'rolling restart'
  /** In ms */
  from: number
  until: number
}

interface Results {
  minutes: number
  kills: number
  phases: readonly Phase[]
  load: Pick<Load, 'calls' | 'refusals' | 'writes'>
  writes: readonly WriteCounts[]
  invariants: ReadonlyArray<readonly [what: string, times: number]>
  mails: Awaited<ReturnType<typeof checkMails>>
}

/** A call belongs to the first of these that it overlaps. */
const names = ['fail-over', 'database away', 'migration', 'rolling restart', 'kill of an instance'] as const

/** While there is no database, callers are told so. */
const toBeExpected = new Set<string>(['fail-over', 'database away'])

function phaseOf(call: Call, phases: readonly Phase[]): Phase['name'] | 'nothing' {
  const overlapping = phases.filter(({ from, until }) => call.until >= from && call.from <= until)
  return names.find((name) => overlapping.some((phase) => phase.name === name)) ?? 'nothing'
}

/** Returns the longest time, in seconds, without an acknowledged write, among those that overlap one of the phases. */
function longestPause(load: Results['load'], phases: readonly Phase[]): number {
  const times = load.writes.flatMap(({ acknowledged }) => acknowledged ?? []).sort((a, b) => a - b)
  let longest = 0
  for (const [index, time] of times.entries()) {
    const before = times[index - 1] ?? time
    if (phases.some(({ from, until }) => time >= from && before <= until))
      longest = Math.max(longest, time - before)
  }
  return longest / 1000
}

/** Prints the report; true if nothing was lost, duplicated or wrongly refused. */
function report(results: Results): boolean {
  const { phases, load, mails } = results
  const line = (what: string, ...values: Array<string | number>) =>
    console.log(`${what.padEnd(62)}${values.map((value) => String(value).padStart(12)).join('')}`)
  console.log(
    `\n${results.minutes.toFixed(1)} minutes, ${results.kills} kills of an instance, ${load.calls.length} calls`,
  )
  line('writes', 'sent', 'acknowledged', 'lost', 'doubled', 'unanswered')
  for (const { kind, sent, acknowledged, lost, doubled, unanswered } of results.writes)
    line(kind, sent, acknowledged, lost, doubled, unanswered)
  line('mails', 'written', 'given up', 'lost', 'doubled', 'unknown')
  line('', mails.written, mails.givenUp, mails.lost, mails.doubled, mails.unknown)
  line('during', 'calls', '5xx', 'no answer', 'pause, s', 'times')
  const outcomes = [...names, 'nothing' as const].map((name) => {
    const calls = load.calls.filter((call) => phaseOf(call, phases) === name)
    const ofName = phases.filter((phase) => phase.name === name)
    const failed = calls.filter(({ status }) => status >= 500).length
    const pause = name === 'nothing' ? 0 : longestPause(load, ofName)
    line(
      name,
      calls.length,
      failed,
      calls.filter(({ status }) => status === 0).length,
      pause.toFixed(1),
      ofName.length,
    )
    return { name, failed, pause }
  })
  const failed = load.calls.filter(({ status }) => status >= 500)
  const answers = Object.groupBy(failed, ({ status, code }) => `${status} ${code || 'of the balancer'}`)
  for (const [answer, calls = []] of Object.entries(answers)) {
    const where = Object.entries(Object.groupBy(calls, (call) => phaseOf(call, phases)))
    console.log(`  ${answer}: ${where.map(([name, some]) => `${some?.length} at ${name}`).join(', ')}`)
  }
  for (const [what, times] of results.invariants) line(what, times)
  for (const [what, times] of load.refusals) line(`refused: ${what}`, times)
  const longest = Math.max(...load.calls.map(({ from, until }) => until - from)) / 1000
  line('longest call, s', longest.toFixed(1))

  const faults = [
    ...results.writes.flatMap(({ kind, lost, doubled }) =>
      lost + doubled > 0 ? [`${kind}: lost or doubled`] : [],
    ),
    ...results.invariants.flatMap(([what, times]) => (times === 0 ? [] : [what])),
    ...(mails.lost + mails.givenUp + mails.unknown > 0 ? ['mails'] : []),
    ...outcomes.flatMap(({ name, failed }) =>
      failed > 0 && !toBeExpected.has(name) ? [`5xx at ${name}`] : [],
    ),
    ...outcomes.flatMap(({ name, pause }) =>
      pause >= 30 ? [`${name}: ${pause.toFixed(1)} s without a write`] : [],
    ),
    ...(load.refusals.size > 0 ? ['the load itself was refused'] : []),
  ]
  console.log(faults.length === 0 ? '\nas wanted' : `\nNOT as wanted: ${faults.join('; ')}`)
  return faults.length === 0
}

const minutes = Math.min(60, Math.max(2, Number(process.argv[2] ?? 10)))
const schools = Number(process.env.BENCH_SCHOOLS ?? 12)
/** Between two calls of a school, in ms. */
const pause = Number(process.env.BENCH_PAUSE ?? 300)
const killEvery = 20_000

const print = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endAll(false)
    process.exit(130)
  })
process.once('exit', (code) => endAll(code !== 0 && code !== 130))

async function run(): Promise<boolean> {
  const programs = findPrograms()
  print(`${minutes} minutes, ${schools} schools; ${machine()}; files of this run: ${folder}`)
  const cluster = await startDatabase(programs)
  // The database is up; connections through HAProxy must wait until the portals start it.
  const portals = await startPortals(cluster, programs)
  const world = await makeWorld(cluster.url, schools, Math.ceil(minutes / 8) + 1)
  print('three instances serve')
  const phases: Phase[] = []
  const during = async <Result>(name: Phase['name'], act: () => Promise<Result>): Promise<Result> => {
    const phase: Phase = { name, from: Date.now(), until: Number.POSITIVE_INFINITY }
    phases.push(phase)
    try {
      return await act()
    } finally {
      phase.until = Date.now()
      print(`${name}: ${((phase.until - phase.from) / 1000).toFixed(1)} s`)
    }
  }
  const { instances } = portals
  const allReady = () =>
    until(
      'all instances are ready',
      async () => (await Promise.all(instances.map(({ ready }) => ready()))).every(Boolean) || undefined,
      180,
    )

  const load = startLoad(portals.url, world, pause)
  const start = Date.now()
  const end = start + minutes * 60_000
  const waitUntil = (part: number) => sleep(Math.max(0, start + part * minutes * 60_000 - Date.now()))
  let killing = true
  let kills = 0
  /** Instances that have been ready since their last start. */
  const up = new Set(instances)
  /** No old instance can start once the new version has migrated, so none is killed until all are new. */
  let resting: Promise<unknown> = Promise.resolve()
  const killer = (async () => {
    for (let turn = 0; killing; turn++) {
      await Promise.race([sleep(killEvery), until('the end', async () => !killing || undefined, 3600)])
      await resting
      const victim = instances[turn % instances.length]
      if (!victim) break
      // On a busy machine a start may take longer than the time between two kills; the last running instance is spared.
      const othersUp = () => instances.some((instance) => instance !== victim && up.has(instance))
      await until('another instance is up', async () => !killing || othersUp() || undefined, 3600)
      if (!killing) break
      victim.kill()
      up.delete(victim)
      kills++
      // Not awaited: the next kill does not wait for this.
      void during('kill of an instance', async () => {
        await sleep(2_000)
        await until(`${victim.name} is ready`, async () => (await victim.ready()) || undefined, 180)
        up.add(victim)
      }).catch((error: Error) => print(error.message))
    }
  })()
  const recovered = async () => {
    await allReady()
    const since = Date.now()
    await until(
      'a write is acknowledged',
      async () => load.writes.some(({ acknowledged }) => (acknowledged ?? 0) > since) || undefined,
    )
  }
  const failOver = (machineToo: boolean) =>
    during('fail-over', async () => {
      const before = await cluster.whole()
      killPrimary(before, machineToo)
      await until(
        'the other one is primary',
        async () => (await cluster.primary()) !== before || undefined,
        180,
      )
      await recovered()
    })

  await waitUntil(0.12)
  await failOver(false)
  await waitUntil(0.35)
  const rested = Promise.withResolvers<void>()
  resting = rested.promise
  await allReady()
  portals.nextVersion()
  await during('migration', () => portals.command('migrate'))
  await during('rolling restart', async () => {
    for (const instance of instances) {
      await instance.restart()
      await until(`${instance.name} is ready`, async () => (await instance.ready()) || undefined)
    }
  })
  rested.resolve()
  await waitUntil(0.55)
  await cluster.whole()
  await failOver(false)
  await waitUntil(0.7)
  await portals.command('backup')
  print('backed up into the bucket')
  await waitUntil(0.78)
  await cluster.whole()
  await failOver(true)
  await waitUntil(0.9)
  await during('database away', async () => {
    cluster.goAway(20_000)
    await sleep(20_000)
    await recovered()
  })
  await sleep(Math.max(0, end - Date.now()))
  killing = false
  await killer
  await load.stop()
  const ended = Date.now()
  print('the load has ended; waiting for the cluster, the instances and the mails')
  await cluster.whole()
  await allReady()
  await mailsLeft(cluster)
  return report({
    ...{ minutes: (ended - start) / 60_000, kills, phases, load },
    writes: await checkWrites(cluster, load.writes),
    invariants: await checkInvariants(cluster),
    mails: await checkMails(cluster, portals.mails),
  })
}

run().then(
  (good) => process.exit(good ? 0 : 1),
  (error: Error) => {
    console.error(error instanceof Missing ? error.message : error)
    process.exit(1)
  },
)
