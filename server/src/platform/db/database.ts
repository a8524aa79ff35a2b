import { createHash } from 'node:crypto'
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type Transaction,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import pg from 'pg'
import { statementsRun } from '../telemetry/traces.ts'
import { DatabaseRefused } from './database-fault.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import type { Schema } from './schema.generated.ts'

/** How many statements are prepared by name; each uses memory in every server session for as long as it lasts. */
const maxNames = 500
/** Longer texts are one-off bulk statements, not the small queries whose planning time dominates. */
const longestText = 10_000

const unnamed = /^\s*(begin|start transaction|commit|rollback|savepoint|release|set|lock)\b/i

/**
 * Gives each SQL text one name, so that every session plans it once: unnamed statements are planned each time
 * (docs/decisions/0001-database.md has the cost). The name is derived from the text and so the same in every process:
 * if a pooler puts two instances into one session, neither can run the other's statement by mistake. Once the limit is
 * reached, further texts stay unnamed: they work, but slower.
 */
export function createStatementNames(limit = maxNames): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const existing = names.get(text)
    if (existing !== undefined) return existing
    if (names.size >= limit || text.length > longestText || unnamed.test(text)) return undefined
    // 144 bits; PostgreSQL compares only the first 63 characters of a name.
    const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
    names.set(text, name)
    return name
  }
}

/**
 * Whether statements keep their name for the session, or have none because the next transaction may be in another
 * session.
 */
type Naming = 'session' | 'unnamed'

/**
 * The prepared statement is outdated and was not run: a migration has changed its result type, or the session has
 * forgotten it. Sent again unnamed, it works.
 */
const outdated = new Set(['0A000', '26000'])
/** The name is taken, in a session that this connection has never used before. */
const alreadyPrepared = '42P05'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Wraps the `pg` pool for Kysely, so that statements run by name. */
function preparedPool(pool: Pool, naming: Naming): PostgresPool {
  const nameOf = naming === 'unnamed' ? () => undefined : createStatementNames()
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()

  function wrap(client: PoolClient): PostgresPoolClient {
    let lossReason: Error | undefined
    client.on('error', (error) => {
      lossReason ??= error
    })
    let forgetful = false

    async function run(text: string, values: readonly unknown[], name: string | undefined) {
      try {
        const statement = { text, values: [...values], ...(name && { name }) }
        return await statementsRun.tracePromise(() => client.query(statement), { text })
      } catch (error) {
        // The server gives the reason just before it ends a connection. Later statements fail with «not queryable»:
        // they get that reason, and the next caller gets another connection.
        if (error instanceof Error && 'severity' in error && error.severity === 'FATAL') lossReason ??= error
        throw lossReason && lossReason !== error
          ? new ConnectionLost(lossReason.message, { cause: lossReason })
          : error
      }
    }

    async function named(text: string, values: readonly unknown[]) {
      const name = nameOf(text)
      const alone = client.getTransactionStatus() === 'I'
      try {
        return await run(text, values, name)
      } catch (error) {
        const code = codeOf(error)
        if (name !== undefined && code === alreadyPrepared) throw new PoolerUnknown(error)
        if (name === undefined || !outdated.has(String(code))) throw error
        // The session's other prepared statements are just as outdated: the next caller gets another session.
        forgetful = true
        if (!alone) throw error
        return run(text, values, undefined)
      }
    }

    function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
    function query<C>(cursor: C): C
    function query(text: unknown, values: readonly unknown[] = []): unknown {
      if (typeof text !== 'string') throw new TypeError('Cursors of Kysely are not set up; use the pool')
      return named(text, values)
    }
    return { query, release: (destroy) => client.release(destroy || forgetful || lossReason !== undefined) }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool)
      const existing = wrapped.get(client)
      if (existing) return existing
      const fresh = wrap(client)
      wrapped.set(client, fresh)
      return fresh
    },
  }
}

/** Two instances have used the same database session, which only a pooler can cause. */
class PoolerUnknown extends DatabaseRefused {
  constructor(cause: unknown) {
    super('A pooler in transaction mode stands before the database: set DATABASE_POOLER=transaction.', {
      cause,
    })
  }
}

/** The connection has ended; the message is the server's reason. */
class ConnectionLost extends Error {
  readonly code = '08006'
}

/** No connection was returned in time. Its code is that of a database with too many connections: callers may retry. */
class NoConnection extends Error {
  readonly code = '53300'
}

/** Replaces the driver's «timeout exceeded when trying to connect», used for any reason, by the usual one. */
async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (!text.startsWith('timeout exceeded')) throw error
    const seconds = (pool.options.connectionTimeoutMillis ?? 0) / 1000
    throw new NoConnection(
      `No database connection came free within ${seconds} s: too much at once, or db used inside a transaction.`,
      { cause: error },
    )
  }
}

/** In milliseconds. */
interface Limits {
  statement: number
  lock: number
  idleInTransaction: number
}

/** The settings of a new session. */
const sessionSettings = ({ statement, lock, idleInTransaction }: Limits): string[] => [
  `set timezone = 'UTC'`,
  `set statement_timeout = ${statement}`,
  `set lock_timeout = ${lock}`,
  `set idle_in_transaction_session_timeout = ${idleInTransaction}`,
  // Compiling a statement to machine code takes hundreds of milliseconds, which none of ours gains back.
  'set jit = off',
]

/** Lists the settings a session lacks. Limits may differ from ours, but not be missing. */
const lacking = `
  select format('%I', current_user) as role, format('%I', current_database()) as "database", array_remove(array[
    case when current_setting('timezone') not in ('UTC', 'Etc/UTC') then 'timezone' end,
    case when current_setting('statement_timeout') = '0' then 'statement_timeout' end,
    case when current_setting('lock_timeout') = '0' then 'lock_timeout' end,
    case when current_setting('idle_in_transaction_session_timeout') = '0'
      then 'idle_in_transaction_session_timeout' end,
    case when current_setting('jit') <> 'off' then 'jit' end], null) as names`

/**
 * Checks that the role supplies the session settings. Behind a pooler in transaction mode, a `set` reaches whichever
 * session comes next and stays there for other clients. Without the settings nothing starts: days would be counted in
 * another time zone, and statements would have no time limit. Throws {@link DatabaseRefused} with the statements to
 * run.
 */
async function refuseOtherSettings(
  database: { pool: pg.Pool; close(): Promise<void> },
  settings: readonly string[],
): Promise<void> {
  try {
    const { rows } = await database.pool.query<{ role: string; database: string; names: string[] }>(lacking)
    for (const { role, database: name, names } of rows) {
      if (names.length === 0) continue
      const statements = settings.map((set) => `alter role ${role} in database ${name} ${set};`)
      throw new DatabaseRefused(
        `With DATABASE_POOLER=transaction the settings of a session are those of its role; ${names.join(', ')} must be set. Run this once, then let the pooler connect anew (PgBouncer: RECONNECT):\n${statements.join('\n')}`,
      )
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Parses an int8 as a JavaScript number. Ids, counts and paise stay far below 2^53; a larger value is refused with a
 * RangeError, since silently rounding an amount of money would be worse.
 */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`)
  return value
}

const { builtins } = pg.types
/** The typings list only the scalar types; array types are also just numbers. */
const getTypeParser: (oid: number, format: 'text' | 'binary') => (text: string) => never =
  pg.types.getTypeParser
const textArray = 1009

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, Number],
  // A calendar day has no time zone: as a Date it could shift by one day east or west of UTC.
  [builtins.DATE, (text) => text],
  // int8[], numeric[] and date[]: parsed like their elements.
  [1016, (text) => mapArray(text, parseInt8)],
  [1231, (text) => mapArray(text, Number)],
  [1182, (text) => mapArray(text, (item) => item)],
])

/** The driver's own parser of text[]; the elements are then parsed as their own type, and null stays null. */
const splitArray: (text: string) => unknown[] = getTypeParser(textArray, 'text')

function mapArray(text: string, parse: (item: string) => unknown): unknown[] {
  return splitArray(text).map((item) => (typeof item === 'string' ? parse(item) : item))
}

/**
 * Converts database values for the `types` setting of `pg`: int8 and numeric → number, date → 'YYYY-MM-DD', timestamptz
 * → Date, json and jsonb parsed. All others as in `pg`.
 */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || getTypeParser(oid, format ?? 'text'),
}

/** The database outside a transaction. */
export type Db = Kysely<Schema>
/** A transaction. Use nothing else inside one: `db` would wait for a connection while this one holds its own. */
export type Tx = Transaction<Schema>
/**
 * The parameter of a query that a standby may answer (database-replica.ts): it only reads, and tolerates the delay its
 * caller chose. `Db` and `Tx` can be passed for it, but not the other way round.
 */
export type ReadDb = Pick<Db, 'selectFrom' | 'getExecutor'>
/** The same in a transaction, where settings can be changed. */
export type ReadTx = ReadDb & Pick<Tx, 'isTransaction'>

export type OpenedDatabase = {
  db: Db
  /** The driver's own pool, for what Kysely can't express (COPY, cursors, migrations). */
  pool: pg.Pool
  /** `pool` connects to a pooler: nothing bound to a session outlasts a transaction. */
  pooler?: 'transaction'
  /** Waits for running statements, then ends all connections, and the embedded database if this process started it. */
  close(): Promise<void>
}

type DatabaseOptions = Pick<EmbeddedOptions, 'dataDir' | 'beside' | 'durable'> & {
  /** Address of a PostgreSQL 15 or later; without it the embedded database of `dataDir` is opened. */
  url?: string | undefined
  applicationName?: string
  /** Connections, default 10. */
  poolSize?: number
  /**
   * `url` is a pooler that reassigns its connections after each transaction: statements then go unnamed, and the role
   * supplies the session settings.
   */
  pooler?: 'transaction' | undefined
  /**
   * How long a caller waits for a connection, in milliseconds, before it fails, so that a caller waiting for itself
   * ends.
   */
  acquireTimeout?: number
  /** Idle time after which a transaction is rolled back and its connection ended, in milliseconds, default 10 s. */
  idleInTransaction?: number
  /** How long a statement may run, and how long it may wait for a lock, in milliseconds; by default `limits`. */
  limits?: typeof limits
  /** An idle connection was lost (and is replaced) or, if fatal, an embedded database could not be restarted. */
  onError: (error: Error, fatal: boolean) => void
}

/** Limits of each statement, in milliseconds; jobs set `set local statement_timeout` themselves. */
const limits = { statement: 5_000, lock: 2_000 }

/** Opens the database: PostgreSQL by `url`, or the embedded one. Throws an error with one clear line if it can't. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  const embedded = options.url === undefined ? await startEmbedded(options) : undefined
  const { pool, settings } = postgresPool({ ...options, url: options.url ?? embedded?.url })
  const database = opened(pool, options, embedded)
  if (options.pooler === undefined) return database
  await refuseOtherSettings(database, settings)
  return { ...database, pooler: options.pooler }
}

/**
 * Creates a pool of PostgreSQL connections, each with the session settings; behind a pooler in transaction mode the
 * role supplies them.
 */
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

/** Opens a standby, which need not be running yet: it is contacted only when someone reads. */
export const openStandby = (
  options: DatabaseOptions & { url: string },
): Pick<OpenedDatabase, 'db' | 'close'> => opened(postgresPool(options).pool, options)

function opened(pool: pg.Pool, { pooler, onError }: DatabaseOptions, embedded?: Embedded): OpenedDatabase {
  let closing: Promise<void> | undefined
  // Losing a connection while closing is expected.
  pool.on('error', (error) => {
    if (!closing) onError(error, false)
  })
  // If the connection is in use, the failing statement reports the loss; without a listener it would end the whole
  // process.
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
