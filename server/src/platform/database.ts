import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { refuseOtherSettings, sessionSettings } from './database-session.ts'
import { type Naming, preparedPool } from './database-statements.ts'
import { typeParsers } from './database-types.ts'
import { type Embedded, type Sync, startEmbedded } from './embedded.ts'
import type { Schema } from './schema.generated.ts'

/** The database outside a transaction. */
export type Db = Kysely<Schema>
/** A transaction. Within one nothing but it may be used: the embedded database has one session for all. */
export type Tx = Transaction<Schema>
/**
 * What a query takes that may be answered by a standby (database-replica.ts): it only reads, and tolerates what its caller
 * chose there. `Db` and `Tx` are each one, too; it is neither, so nothing else can be given one.
 */
export type ReadDb = Pick<Db, 'selectFrom' | 'getExecutor'>
/** The same in a transaction, in which settings can be made. */
export type ReadTx = ReadDb & Pick<Tx, 'isTransaction'>

export type OpenedDatabase = {
  db: Db
  /** The driver's own pool, for what Kysely can't say (COPY, cursors, migrations). */
  pool: pg.Pool
  kind: 'embedded' | 'postgres'
  /** `pool` reaches a pooler: nothing that is bound to a session lasts longer than a transaction. */
  pooler?: 'transaction'
  /** The embedded database's process; absent on PostgreSQL. */
  embedded?: Embedded
  /** Waits for what runs, then ends every connection and the embedded database. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** Address of a PostgreSQL 15 or later; without it the embedded database of `dataDir` is opened. */
  url?: string | undefined
  dataDir: string
  /** When the embedded database forces to the disk what it has written, default with each commit. */
  sync?: Sync | undefined
  /** An embedded database that runs already and outlasts this: only connections are opened and closed. */
  running?: Embedded | undefined
  applicationName?: string
  /** Connections to PostgreSQL, default 10; the embedded database always has four. */
  poolSize?: number
  /**
   * `url` is a pooler that gives its connections from one transaction to the next: then statements go unnamed, and the
   * settings of a session are the role's.
   */
  pooler?: 'transaction' | undefined
  /** How long a caller waits for a connection, in milliseconds; then it fails, so that a wait for oneself ends. */
  acquireTimeout?: number
  /** After how many silent milliseconds a transaction is rolled back and its connection ended, default 10 s. */
  idleInTransaction?: number
  /** How long a statement may take, and how long it may wait for a lock, in milliseconds; by default `limits`. */
  limits?: typeof limits
  /** A lost idle connection (replaced by itself), or, fatal, the end of the embedded database. */
  onError: (error: Error, fatal: boolean) => void
}

/** Limits of each statement on PostgreSQL, in milliseconds; long work says `set local statement_timeout` itself. */
const limits = { statement: 5_000, lock: 2_000 }

/** One statement runs at a time whatever their number; a few keep the session busy while answers travel. */
const embeddedConnections = 4

/** Opens the database: PostgreSQL by `url`, or the embedded one. Throws with one clear line when it can't. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  const { url, onError, acquireTimeout = 10_000, idleInTransaction = 10_000 } = options
  if (url !== undefined) {
    const { pool, settings } = postgresPool({ ...options, url })
    if (options.pooler === undefined) return opened(pool, 'postgres', 'session', onError)
    const database = { ...opened(pool, 'postgres', 'unnamed', onError), pooler: options.pooler }
    await refuseOtherSettings(database, settings)
    return database
  }
  const embedded =
    options.running ??
    (await startEmbedded({
      dataDir: options.dataDir,
      idleInTransaction,
      sync: options.sync,
      onEnd: (error) => onError(error, true),
    }))
  const { host, port } = embedded
  const pool = new pg.Pool({
    types: typeParsers,
    connectionTimeoutMillis: acquireTimeout,
    allowExitOnIdle: true,
    host,
    port,
    user: 'postgres',
    database: 'postgres',
    max: embeddedConnections,
    idleTimeoutMillis: 0,
  })
  return opened(pool, 'embedded', 'connection', onError, {
    ...embedded,
    close: options.running ? async () => undefined : embedded.close,
  })
}

/** Connections to a PostgreSQL, each with what a session is told; behind a pooler in transaction mode its role says that. */
function postgresPool(options: DatabaseOptions & { url: string }): { pool: pg.Pool; settings: string[] } {
  const {
    acquireTimeout = 10_000,
    idleInTransaction = 10_000,
    limits: { statement, lock } = limits,
  } = options
  const settings = sessionSettings({ statement, lock, idleInTransaction })
  const pool = new pg.Pool({
    types: typeParsers,
    connectionTimeoutMillis: acquireTimeout,
    allowExitOnIdle: true,
    connectionString: options.url,
    application_name: options.applicationName ?? 'podium',
    max: options.poolSize ?? 10,
    // By statement and not in the start-up packet, which connection poolers refuse. The pool waits for it.
    ...(options.pooler === undefined && { onConnect: (client) => client.query(settings.join('; ')) }),
  })
  return { pool, settings }
}

/** A standby, which need not be there yet: nothing is asked of it before somebody reads. */
export function openStandby(
  options: DatabaseOptions & { url: string },
): Pick<OpenedDatabase, 'db' | 'close'> {
  const { pool } = postgresPool(options)
  return opened(pool, 'postgres', options.pooler ? 'unnamed' : 'session', options.onError)
}

function opened(
  pool: pg.Pool,
  kind: OpenedDatabase['kind'],
  naming: Naming,
  onError: DatabaseOptions['onError'],
  embedded?: Embedded,
): OpenedDatabase {
  let closing: Promise<void> | undefined
  // A connection that is lost while it is being closed is no news.
  pool.on('error', (error) => {
    if (!closing) onError(error, false)
  })
  // Who has one in use is told by the statement that fails; without a listener the loss would end the whole process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: preparedPool(pool, naming) }),
  })
  return {
    db,
    pool,
    kind,
    ...(embedded && { embedded }),
    close() {
      closing ??= pool.end().then(() => embedded?.close())
      return closing
    },
  }
}
