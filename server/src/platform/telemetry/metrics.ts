import { sentences } from '@podium/contract/sentences'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { hasBearerToken } from '../auth/secrets.ts'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.generated.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { filesInspected, processesStarted } from '../files/sandbox.ts'

/** How long figures from the database are reused, in milliseconds, so that frequent scrapes query it only once. */
const cacheMs = 5_000

interface JobRow {
  kind: string
  waiting: number
  running: number
  /** By a fault of ours */
  failed: number
  /** For its input: whoever started it reads why */
  refused: number
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

/** Seconds, never below 0: the clock of the writing instance may be slightly ahead. */
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
  // A scheduled job's age counts from its due time.
  const jobs = sql<JobRow>`
    select kind,
      (count(*) filter (where state = 'waiting'))::int as waiting,
      (count(*) filter (where state = 'running'))::int as running,
      (count(*) filter (where state = 'failed' and error is not distinct from ${sentences.jobFailed}))::int as failed,
      (count(*) filter (where state = 'failed' and error is distinct from ${sentences.jobFailed}))::int as refused,
      coalesce(${secondsSince(now, sql`min(coalesce(due_at, created_at)) filter (where state <> 'failed')`)}, 0) as oldest
    from jobs
    where state in ('waiting', 'running')
      or (state = 'failed' and created_at > ${now}::timestamptz - interval '1 day')
    group by kind`
  const [first] = (await oneRow.execute(db)).rows
  if (!first) throw new Error('the figures have no row')
  return { ...first, jobs: (await jobs.execute(db)).rows }
}

/**
 * Registers the product's gauges, computed on each scrape of /metrics. While the database is away its gauges are
 * missing; the others remain.
 */
function registerGauges(
  registry: Registry,
  { db, database, reads, clock, log }: Pick<Deps, 'db' | 'database' | 'reads' | 'clock' | 'log'>,
): () => Promise<void> {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const waiting = gauge('podium_outbox_waiting', 'Mails that wait to leave')
  const oldest = gauge('podium_outbox_oldest_seconds', 'Age of the oldest mail that waits')
  const givenUp = gauge('podium_outbox_given_up', 'Mails that were given up')
  const jobs = gauge(
    'podium_jobs',
    'Long work that waits, runs, or failed or was refused within a day',
    'kind',
    'state',
  )
  const jobAge = gauge('podium_jobs_oldest_seconds', 'Age of the oldest that waits or runs', 'kind')
  const backup = gauge('podium_backup_age_seconds', 'Since the last good backup began; missing without one')
  const migration = gauge('podium_migration', 'Number of the newest migration applied', 'name')
  const pool = gauge('podium_database_connections', 'Connections of this process and who waits', 'state')
  const byWhom = gauge('podium_reads_answered', 'Reads that a standby may answer, by who did', 'by')
  const up = gauge('podium_database_up', 'Whether the database answered when these figures were read')

  let cached: { at: number; figures: Promise<Figures | undefined> } | undefined
  return async () => {
    for (const [by, count] of Object.entries(reads.answered)) byWhom.set({ by }, count)
    pool.set({ state: 'total' }, database.pool.totalCount)
    pool.set({ state: 'idle' }, database.pool.idleCount)
    pool.set({ state: 'waiting' }, database.pool.waitingCount)
    if (!cached || performance.now() - cached.at > cacheMs) {
      const figures = readFigures(db, clock()).catch((error: unknown) => {
        log.warn({ err: error }, 'figures could not be read')
        return undefined
      })
      cached = { at: performance.now(), figures }
    }
    const figures = await cached.figures
    // Without labels, `reset` would leave a 0, which would mean that all is well.
    for (const metric of [waiting, oldest, givenUp, backup]) metric.remove()
    for (const metric of [jobs, jobAge, migration]) metric.reset()
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

/** Refusals that count as failed sign-ins, by the sign-in form where they happen. */
const signInFailures: Readonly<Record<string, string>> = {
  'account.wrong_sign_in': 'school',
  'office.wrong_sign_in': 'office',
  'office.wrong_code': 'office code',
  'families.wrong_code': 'family',
}

/**
 * Counts requests and their duration by route pattern and status, and serves the counts at /metrics together with the
 * process's own figures. /metrics requires the token; without a token set it is closed in production and open elsewhere
 * (a developer's machine).
 */
export function countRequests(
  app: FastifyInstance,
  deps: Pick<Deps, 'settings' | 'db' | 'database' | 'reads' | 'clock' | 'log' | 'security'>,
): void {
  const { metricsToken, production } = deps.settings
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const counter of [filesInspected, processesStarted]) registry.registerMetric(counter as Counter)
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'podium_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'podium_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'podium_refusals_total',
    help: 'Refusals by code; request.too_many is what a limit refused',
    labelNames: ['code', 'status'],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'podium_sign_in_failures_total',
    help: 'Wrong passwords and codes',
    labelNames: ['door'],
    registers: [registry],
  })
  // Those not seen yet are 0, not missing: an alert rule on a missing figure never fires.
  for (const door of Object.values(signInFailures)) failures.inc({ door }, 0)
  refusals.inc({ code: 'request.too_many', status: '429' }, 0)
  registry.registerMetric(deps.security.counter)
  const readGauges = registerGauges(registry, deps)
  app.addHook('onError', async (_request, _reply, error: unknown) => {
    if (!(error instanceof Refusal)) return
    const { code, status } = error
    refusals.inc({ code, status: String(status) })
    const door = signInFailures[code]
    if (door !== undefined) failures.inc({ door })
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.inc({ method: request.method, route, status: String(reply.statusCode) })
    seconds.observe({ route }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    const presented = hasBearerToken(request.headers.authorization, metricsToken)
    const open = metricsToken === undefined ? !production : presented
    // Answers as if it did not exist, so that a caller without the token learns nothing.
    if (!open) throw new Refusal('not_found')
    await readGauges()
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/** Apps that should receive no new requests. */
const stoppingApps = new WeakSet<FastifyInstance>()

/**
 * Makes `/readyz` report that the app is about to stop, so that a load balancer sends it nothing new; it serves as
 * before.
 */
export function announceStop(app: FastifyInstance): void {
  stoppingApps.add(app)
}

/** Serves `/healthz` (the process answers) and `/readyz` (the database answers and the app is not shutting down). */
export function reportHealth(app: FastifyInstance, db: Db): void {
  app.addHook('preClose', async () => {
    stoppingApps.add(app)
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (stoppingApps.has(app)) return reply.code(503).send({ status: 'closing' })
    try {
      await sql`select 1`.execute(db)
    } catch {
      return reply.code(503).send({ status: 'no database' })
    }
    return { status: 'ready' }
  })
}
