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

/** How many texts are prepared by name; each costs memory in every session of the server for as long as it lasts. */
const mostNames = 500
/** Longer texts are one-off bulk statements, not the small queries whose planning dominates. */
const longestText = 10_000

const unnamed = /^\s*(begin|start transaction|commit|rollback|savepoint|release|set|lock)\b/i

/**
 * Gives each text of SQL one name, so that every session plans it once: unnamed statements are planned each time
 * (docs/decisions/0001-database.md has the cost). The name says which text it is, in every process: where a pooler lets
 * two instances meet in one session, one must never run what the other has prepared. When as many as may be have a name,
 * further texts go unnamed: they work, slower.
 */
export function createStatementNames(limit = mostNames): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= limit || text.length > longestText || unnamed.test(text)) return undefined
    // 144 bits; PostgreSQL tells names apart by their first 63 characters.
    const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
    names.set(text, name)
    return name
  }
}

/** A statement keeps its name for the session; or it has none, where the next transaction is in another session. */
type Naming = 'session' | 'unnamed'

/**
 * The planned statement is no longer of use, and was not run: a migration has changed the type of its result, or the
 * session has forgotten it. Asked as if for the first time, it is answered.
 */
const outdated = new Set(['0A000', '26000'])
/** The name is taken in a session that this connection has never been in before. */
const alreadyPrepared = '42P05'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** The thin wrapper between Kysely and `pg`: the same pool, every statement by name. */
function preparedPool(pool: Pool, naming: Naming): PostgresPool {
  const nameOf = naming === 'unnamed' ? () => undefined : createStatementNames()
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()

  function wrap(client: PoolClient): PostgresPoolClient {
    let lost: Error | undefined
    client.on('error', (error) => {
      lost ??= error
    })
    let forgetful = false

    async function run(text: string, values: readonly unknown[], name: string | undefined) {
      try {
        const asked = { text, values: [...values], ...(name && { name }) }
        return await statementsRun.tracePromise(() => client.query(asked), { text })
      } catch (error) {
        // The server says why it ends a connection, a moment before it does. The statements after that fail with
        // «not queryable»: they get the reason, and the next caller another connection.
        if (error instanceof Error && 'severity' in error && error.severity === 'FATAL') lost ??= error
        throw lost && lost !== error ? new ConnectionLost(lost.message, { cause: lost }) : error
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
        // What else this session has planned is as old: the next caller gets another.
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
    return { query, release: (destroy) => client.release(destroy || forgetful || lost !== undefined) }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool)
      const known = wrapped.get(client)
      if (known) return known
      const fresh = wrap(client)
      wrapped.set(client, fresh)
      return fresh
    },
  }
}

/** Two instances have met in one session of the database, which only a pooler can bring about. */
class PoolerUnknown extends DatabaseRefused {
  constructor(cause: unknown) {
    super('A pooler in transaction mode stands before the database: set DATABASE_POOLER=transaction.', {
      cause,
    })
  }
}

/** The connection has ended, for the reason that the server gave when it did. */
class ConnectionLost extends Error {
  readonly code = '08006'
}

/** Nobody gave a connection back in time. Its code is the one of a database that takes no more: callers may try again. */
class NoConnection extends Error {
  readonly code = '53300'
}

/** The driver says «timeout exceeded when trying to connect», whatever the reason; this names the usual one. */
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

/** What a session is told before it is used. */
const sessionSettings = ({ statement, lock, idleInTransaction }: Limits): string[] => [
  `set timezone = 'UTC'`,
  `set statement_timeout = ${statement}`,
  `set lock_timeout = ${lock}`,
  `set idle_in_transaction_session_timeout = ${idleInTransaction}`,
  // Turning a statement into machine code takes hundreds of milliseconds, which none of these earns back.
  'set jit = off',
]

/** Which of them a session lacks. Whoever wants other limits than ours may have them, but not none. */
const lacking = `
  select format('%I', current_user) as role, format('%I', current_database()) as "database", array_remove(array[
    case when current_setting('timezone') not in ('UTC', 'Etc/UTC') then 'timezone' end,
    case when current_setting('statement_timeout') = '0' then 'statement_timeout' end,
    case when current_setting('lock_timeout') = '0' then 'lock_timeout' end,
    case when current_setting('idle_in_transaction_session_timeout') = '0'
      then 'idle_in_transaction_session_timeout' end,
    case when current_setting('jit') <> 'off' then 'jit' end], null) as names`

interface Lacking {
  role: string
  database: string
  names: string[]
}

/**
 * Behind a pooler in transaction mode a `set` reaches whichever session comes next, and stays in it for somebody else. So
 * the role has to bring the settings, and where it does not nothing starts: days would be counted in another time zone,
 * and no statement would ever end. Throws {@link DatabaseRefused} with the statements to be run.
 */
async function refuseOtherSettings(
  database: { pool: pg.Pool; close(): Promise<void> },
  settings: readonly string[],
): Promise<void> {
  try {
    const { rows } = await database.pool.query<Lacking>(lacking)
    for (const { role, database: name, names } of rows) {
      if (names.length === 0) continue
      const wanted = settings.map((set) => `alter role ${role} in database ${name} ${set};`)
      throw new DatabaseRefused(
        `With DATABASE_POOLER=transaction the settings of a session are those of its role; ${names.join(', ')} must be set. Run this once, then let the pooler connect anew (PgBouncer: RECONNECT):\n${wanted.join('\n')}`,
      )
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Reads an int8 as a JavaScript number. Ids, counts and paise all stay far below 2^53; a value that does not
 * is refused with a RangeError, since a silently rounded amount of money would be worse than an error.
 */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`)
  return value
}

const { builtins } = pg.types
/** The typings list the scalar types alone; arrays are numbers like any other. */
const getTypeParser: (oid: number, format: 'text' | 'binary') => (text: string) => never =
  pg.types.getTypeParser
const textArray = 1009

const own = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, Number],
  // A calendar day has no time zone: as a Date it would shift by one east or west of UTC.
  [builtins.DATE, (text) => text],
  // int8[] and numeric[] and date[]: the arrays follow their elements.
  [1016, (text) => mapArray(text, parseInt8)],
  [1231, (text) => mapArray(text, Number)],
  [1182, (text) => mapArray(text, (item) => item)],
])

/** The driver's own reader of text[], whose elements are then read as their own type; null stays null. */
const splitArray: (text: string) => unknown[] = getTypeParser(textArray, 'text')

function mapArray(text: string, parse: (item: string) => unknown): unknown[] {
  return splitArray(text).map((item) => (typeof item === 'string' ? parse(item) : item))
}

/**
 * How values of the database become values of the program, for the `types` setting of `pg`: int8 and numeric →
 * number, date → 'YYYY-MM-DD', timestamptz → Date, json and jsonb parsed. All else as `pg` has it.
 */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && own.get(oid)) || getTypeParser(oid, format ?? 'text'),
}

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

type DatabaseOptions = Pick<EmbeddedOptions, 'dataDir' | 'beside' | 'durable'> & {
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
