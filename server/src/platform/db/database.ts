import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { refuseOtherSettings, sessionSettings } from './database-session.ts'
import { preparedPool } from './database-statements.ts'
import { typeParsers } from './database-types.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import type { Schema } from './schema.generated.ts'

/** The database outside a transaction. */
export type Db = Kysely<Schema>
/** A transaction. Within one nothing but it may be used: `db` would wait for a connection while this one holds its own. */
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
  /** `pool` reaches a pooler: nothing that is bound to a session lasts longer than a transaction. */
  pooler?: 'transaction'
  /** Waits for what runs, then ends every connection, and the embedded database where this has started it. */
  close(): Promise<void>
}

export type DatabaseOptions = Pick<EmbeddedOptions, 'dataDir' | 'beside' | 'durable'> & {
  /** Address of a PostgreSQL 15 or later; without it the embedded database of `dataDir` is opened. */
  url?: string | undefined
  applicationName?: string
  /** Connections, default 10. */
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
  /** A lost idle connection (replaced by itself), or, fatal, an embedded database that could not be started again. */
  onError: (error: Error, fatal: boolean) => void
}

/** Limits of each statement, in milliseconds; long work says `set local statement_timeout` itself. */
const limits = { statement: 5_000, lock: 2_000 }

/** Opens the database: PostgreSQL by `url`, or the embedded one. Throws with one clear line when it can't. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  const embedded = options.url === undefined ? await startEmbedded(options) : undefined
  const { pool, settings } = postgresPool({ ...options, url: options.url ?? embedded?.url })
  const database = opened(pool, options, embedded)
  if (options.pooler === undefined) return database
  await refuseOtherSettings(database, settings)
  return { ...database, pooler: options.pooler }
}

/** Connections to a PostgreSQL, each with what a session is told; behind a pooler in transaction mode its role says that. */
function postgresPool(options: DatabaseOptions): { pool: pg.Pool; settings: string[] } {
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
export const openStandby = (
  options: DatabaseOptions & { url: string },
): Pick<OpenedDatabase, 'db' | 'close'> => opened(postgresPool(options).pool, options)

function opened(pool: pg.Pool, { pooler, onError }: DatabaseOptions, embedded?: Embedded): OpenedDatabase {
  let closing: Promise<void> | undefined
  // A connection that is lost while it is being closed is no news.
  pool.on('error', (error) => {
    if (!closing) onError(error, false)
  })
  // Who has one in use is told by the statement that fails; without a listener the loss would end the whole process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: preparedPool(pool, pooler ? 'unnamed' : 'session') }),
  })
  return {
    db,
    pool,
    close() {
      closing ??= pool.end().then(() => embedded?.close())
      return closing
    },
  }
}
