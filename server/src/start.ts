import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { jobRequesters } from '#platform/auth/policy'
import { deriveKeys, newId, type PasswordCost } from '#platform/auth/secrets'
import { watchSecurity } from '#platform/auth/security-events'
import type { Markers } from '#platform/backup/backup-store'
import { refuseUnfinished } from '#platform/backup/restore'
import { type Db, type OpenedDatabase, openDatabase } from '#platform/db/database'
import { refuseOtherEngine } from '#platform/db/database-engine'
import { primaryReads, standbyReads } from '#platform/db/database-replica'
import { importErasedFile, restoredErasures } from '#platform/db/erased'
import { migrate } from '#platform/db/migrate'
import type { Deps } from '#platform/deps'
import { readStored } from '#platform/files/files'
import { backupStoreOf, fileStoreOf, tryStore } from '#platform/files/stores'
import { closeApp } from '#platform/http/edge'
import { databaseLimits } from '#platform/http/limits'
import { type Jobs, startJobQueues } from '#platform/jobs/jobs'
import { type Outbox, startOutbox } from '#platform/jobs/outbox'
import { startWorker, type Worker } from '#platform/jobs/worker'
import { createMailer } from '#platform/mail/mail'
import { SettingError, type Settings } from '#platform/settings'
import { buildApp, jobHandlers, schoolJobKinds } from './app.ts'
import { refuseDemoWorld } from './features/accounts/demo/commands.ts'
import { startNights } from './features/office/backups/commands.ts'
import { checkSecrets, planRotation } from './features/office/secret-rotation/commands.ts'
import { notifyOfAlarm } from './features/staff/commands-owners.ts'

export interface RunningServer {
  app: FastifyInstance
  deps: Deps
  database: OpenedDatabase
  jobs: Jobs
  outbox: Outbox
  /** Resolves when the due jobs and mails are done. */
  drain(): Promise<void>
  /** Finishes current work, refuses new calls, stops the workers and the database. */
  stop(): Promise<void>
}

interface StartOptions {
  settings: Settings
  log: Logger
  clock?: () => Date
  /** A database that is already open and that the caller closes (tests). */
  database?: OpenedDatabase
  /** Fills an empty database before any call or worker (the demo world). */
  fill?: (deps: Deps) => Promise<unknown>
  /** Multiplies all limits (for tests of other things). */
  limitScale?: number
  /** A lower cost of password hashes (for tests of other things). */
  passwordCost?: PasswordCost
  /** How often mails and jobs are looked for without being woken, in ms (tests: never). */
  everyMs?: number
  /** Runs the nightly backups and the deletion of old data. */
  nights?: boolean
  onFatal: (error: Error) => void
}

/** Imports an older version's list of erasures, and reports those that a restore in that version has undone. */
async function takeOverErasures(db: Db, folder: string, log: Logger): Promise<void> {
  const list = await importErasedFile(db, folder)
  if (!list) return
  log.info({ records: list.erasures.length }, 'the list of erasures in erased.jsonl is now in the database')
  if (list.broken > 0) log.error({ lines: list.broken }, 'lines of erased.jsonl.read can not be read')
  const back = (await restoredErasures(db)).map(({ studentId }) => studentId)
  if (back.length > 0)
    log.error({ students: back }, 'these records were erased and are back: erase them again')
}

/**
 * Refuses a SECRET that decrypts none of the stored second factors: no officer could sign in, and new data would be
 * encrypted with another key than the old.
 */
async function refuseOtherSecret(db: Db, keys: Deps['keys']): Promise<void> {
  const { factors, unopened } = await checkSecrets(db, keys)
  if (factors > 0 && unopened === factors)
    throw new SettingError(
      "SECRET is not the one of this database: it opens none of the office's second factors. Set the one that it was run with (docs/operations.md, Changing SECRET)",
    )
}

/** Opens the database, migrates it and builds the app with its workers; the caller makes it listen. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings, log, clock = () => new Date() } = options
  const files = await fileStoreOf(settings)
  if (settings.filesBucket) await tryStore(files)
  const database =
    options.database ??
    (await openDatabase({
      url: settings.databaseUrl,
      poolSize: settings.databasePool,
      pooler: settings.databasePooler,
      dataDir: settings.dataDir,
      onError: (error, fatal) => {
        log.error({ err: error }, 'database')
        if (fatal) options.onFatal(error)
      },
    }))
  if (!options.database) await refuseOtherEngine(database)
  await refuseUnfinished(database)
  if (!options.database) await migrate(database)
  const { db } = database
  const keys = deriveKeys(settings.secret, options.passwordCost, settings.secretPrevious)
  if (!options.database) await refuseOtherSecret(db, keys)
  const isShared = !options.database && settings.databaseUrl !== undefined
  const presence = isShared
    ? await joinInstances(database.pool, { files, backups: await backupStoreOf(settings) }, log)
    : undefined
  await takeOverErasures(db, settings.backupDir, log)
  const mailer = createMailer({
    smtpUrl: settings.smtpUrl,
    dataDir: settings.dataDir,
    from: settings.mailFrom,
    readFile: async (id) => {
      const stored = await readStored(db, files, id)
      if (!stored) throw new Error('an attachment is missing')
      return stored.content
    },
  })
  const traces = settings.tracesTo
    ? (await import('#platform/telemetry/traces-export')).exportTraces(settings.tracesTo)
    : undefined
  const reads = settings.databaseReadUrl
    ? standbyReads({
        url: settings.databaseReadUrl,
        pooler: settings.databasePooler,
        poolSize: settings.databasePool,
        primary: db,
        clock: () => (options.clock ? options.clock().getTime() : performance.now()),
        log,
      })
    : primaryReads(db)
  const limits = databaseLimits(database.pool, options.limitScale)
  const security = watchSecurity(log)
  const deps: Deps = {
    db,
    reads,
    database,
    settings,
    keys,
    limits,
    files,
    clock,
    log,
    security,
    async alarm(name, key = '') {
      if (!(await limits.passes(name, key))) return
      security.note('alarm', { alarm: name, who: key })
      await db.transaction().execute((tx) => notifyOfAlarm(tx, clock(), name, key))
      deps.wake()
    },
    wake: () => {
      outbox.wake()
      jobs.wake()
    },
  }
  await options.fill?.(deps)
  await refuseDemoWorld(deps)
  const { everyMs } = options
  await planRotation(deps)
  const outbox = startOutbox({ db, deliver: mailer.deliver, clock, log, ...(everyMs && { everyMs }) })
  const handlers = jobHandlers(deps)
  const running = { db, handlers, requesters: jobRequesters, clock, log, ...(everyMs && { everyMs }) }
  const jobs = startJobQueues(schoolJobKinds(deps), running)
  const nights = options.nights ? startNights(deps) : undefined
  const app = await buildApp(deps)
  return {
    app,
    deps,
    database,
    jobs,
    outbox,
    async drain() {
      await jobs.drain()
      await outbox.drain()
    },
    async stop() {
      await closeApp(app)
      await Promise.all([outbox.stop(), jobs.stop(), nights?.stop()])
      await presence?.stop()
      mailer.close()
      await reads.close()
      if (!options.database) await database.close()
      await traces?.stop()
    },
  }
}

/** An instance not heard from for this long has ended, in whatever way. */
const silence = '60 seconds'
const heartbeatMs = 15_000

/** A store that all instances share. */
type SharedStore = Markers & { readonly place: string }

interface SharedSetting {
  setting: string
  what: string
  store: SharedStore
}

/**
 * Registers this instance with the others of its database, and refuses to run beside one with a different store of
 * uploaded files or backups: what is written here would not be found there. Each instance leaves a marker in both
 * stores before it registers, so that others can look for it.
 */
async function joinInstances(
  pool: Pool,
  { files, backups }: { files: SharedStore; backups: SharedStore },
  log: Logger,
): Promise<Pick<Worker, 'stop'>> {
  const id = newId()
  const shared: SharedSetting[] = [
    { setting: 'FILES_URL', what: 'sent files', store: files },
    { setting: 'BACKUP_URL', what: 'backups', store: backups },
  ]
  for (const { store } of shared) await store.mark(id, `${hostname()}\n`)
  const leave = async () => {
    await pool.query('delete from instances where id = $1', [id])
    for (const { store } of shared) await store.unmark(id)
  }
  await pool.query('insert into instances (id, host) values ($1, $2)', [id, hostname()])
  try {
    await refuseDivided(pool, id, shared)
    await forgetEnded(pool, shared)
  } catch (thrown) {
    await leave()
    throw thrown
  }
  const heart = startWorker({
    everyMs: heartbeatMs,
    turn: async () => {
      await pool.query(
        `insert into instances (id, host) values ($1, $2) on conflict (id) do update set seen_at = now()`,
        [id, hostname()],
      )
      return false
    },
    onError: (err) => log.error({ err }, 'the other instances can not be told that this one runs'),
  })
  return {
    async stop() {
      await heart.stop()
      await leave().catch((err: unknown) => log.warn({ err }, 'instance'))
    },
  }
}

async function refuseDivided(pool: Pool, id: string, shared: readonly SharedSetting[]): Promise<void> {
  const { rows } = await pool.query<{ id: string; host: string }>(
    `select id, host from instances where id <> $1 and seen_at > now() - $2::interval order by started_at`,
    [id, silence],
  )
  for (const instance of rows)
    for (const { setting, what, store } of shared) {
      if (await store.marked(instance.id)) continue
      throw new SettingError(
        `${setting} must name what all instances on one database share: one on ${instance.host} runs, or ran a minute ago, and its ${what} are not in ${store.place}`,
      )
    }
}

/** Deletes rows and markers of instances that were killed. */
async function forgetEnded(pool: Pool, shared: readonly SharedSetting[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `delete from instances where seen_at < now() - interval '1 day' returning id`,
  )
  for (const { id } of rows) for (const { store } of shared) await store.unmark(id)
}
