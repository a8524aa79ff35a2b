import { type Kysely, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Schema } from '../db/schema.generated.ts'
import type { Deps } from '../deps.ts'

/** Figures of the database may be so old, in milliseconds: whoever asks in a rush asks it once. */
const keptFor = 5_000

interface JobRow {
  kind: string
  waiting: number
  running: number
  failed: number
  oldest: number
}

interface Figures {
  waiting: number
  oldest: number
  givenUp: number
  backupAge: number | null
  migration: string
  jobs: JobRow[]
}

/** Seconds, never below 0: the clock of the instance that wrote may be a little ahead. */
const secondsSince = (now: Date, column: ReturnType<typeof sql>) =>
  sql`greatest(0, extract(epoch from (${now}::timestamptz - ${column})))::float8`

async function readFigures(db: Kysely<Schema>, now: Date): Promise<Figures> {
  const oneRow = sql<Omit<Figures, 'jobs'>>`
    select mails.*,
      (select count(*)::int from outbox where failed_at is not null) as "givenUp",
      (select ${secondsSince(now, sql`started_at`)} from backups where verified_at is not null
        order by started_at desc, id desc limit 1) as "backupAge",
      coalesce((select max(name) from schema_migrations), '') as migration
    from (
      select count(*)::int as waiting, coalesce(${secondsSince(now, sql`min(created_at)`)}, 0) as oldest
      from outbox where done_at is null and failed_at is null
    ) mails`
  // What waits for its hour is not old: it counts from then.
  const jobs = sql<JobRow>`
    select kind,
      (count(*) filter (where state = 'waiting'))::int as waiting,
      (count(*) filter (where state = 'running'))::int as running,
      (count(*) filter (where state = 'failed'))::int as failed,
      coalesce(${secondsSince(now, sql`min(coalesce(due_at, created_at)) filter (where state <> 'failed')`)}, 0) as oldest
    from jobs
    where state in ('waiting', 'running')
      or (state = 'failed' and created_at > ${now}::timestamptz - interval '1 day')
    group by kind`
  const [first] = (await oneRow.execute(db)).rows
  if (!first) throw new Error('the figures have no row')
  return { ...first, jobs: (await jobs.execute(db)).rows }
}

/** Gauges of the product, computed when /metrics is asked. While the database is away theirs are missing, and the others there. */
export function gaugeProduct(
  registry: Registry,
  { db, database, reads, clock, log }: Pick<Deps, 'db' | 'database' | 'reads' | 'clock' | 'log'>,
): () => Promise<void> {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const waiting = gauge('podium_outbox_waiting', 'Mails that wait to leave')
  const oldest = gauge('podium_outbox_oldest_seconds', 'Age of the oldest mail that waits')
  const givenUp = gauge('podium_outbox_given_up', 'Mails that were given up')
  const jobs = gauge('podium_jobs', 'Long work that waits, runs, or failed within a day', 'kind', 'state')
  const jobAge = gauge('podium_jobs_oldest_seconds', 'Age of the oldest that waits or runs', 'kind')
  const backup = gauge('podium_backup_age_seconds', 'Since the last good backup began; missing without one')
  const migration = gauge('podium_migration', 'Number of the newest migration applied', 'name')
  const pool = gauge('podium_database_connections', 'Connections of this process and who waits', 'state')
  const byWhom = gauge('podium_reads_answered', 'Reads that a standby may answer, by who did', 'by')
  const up = gauge('podium_database_up', 'Whether the database answered when these figures were read')

  let read: { at: number; figures: Promise<Figures | undefined> } | undefined
  return async () => {
    for (const [by, count] of Object.entries(reads.answered)) byWhom.set({ by }, count)
    pool.set({ state: 'total' }, database.pool.totalCount)
    pool.set({ state: 'idle' }, database.pool.idleCount)
    pool.set({ state: 'waiting' }, database.pool.waitingCount)
    if (!read || performance.now() - read.at > keptFor) {
      const figures = readFigures(db, clock()).catch((error: unknown) => {
        log.warn({ err: error }, 'figures could not be read')
        return undefined
      })
      read = { at: performance.now(), figures }
    }
    const figures = await read.figures
    // Without labels, `reset` would leave a 0, which says that all is well.
    for (const one of [waiting, oldest, givenUp, backup]) one.remove()
    for (const one of [jobs, jobAge, migration]) one.reset()
    up.set(figures ? 1 : 0)
    if (!figures) return
    waiting.set(figures.waiting)
    oldest.set(figures.oldest)
    givenUp.set(figures.givenUp)
    if (figures.backupAge !== null) backup.set(figures.backupAge)
    migration.set({ name: figures.migration }, Number.parseInt(figures.migration, 10) || 0)
    for (const { kind, oldest: age, ...states } of figures.jobs) {
      for (const [state, count] of Object.entries(states)) jobs.set({ kind, state }, count)
      jobAge.set({ kind }, age)
    }
  }
}
