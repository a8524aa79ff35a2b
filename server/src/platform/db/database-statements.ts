import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { statementsRun } from '../telemetry/traces.ts'
import { DatabaseRefused } from './database-fault.ts'

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
export function preparedPool(pool: Pool, naming: Naming): PostgresPool {
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
