import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/** How many texts are prepared by name; each costs memory in every session of the server for as long as it lasts. */
const mostNames = 500
/** Longer texts are one-off bulk statements, not the small queries whose planning dominates. */
const longestText = 10_000

const unnamed = /^\s*(begin|start transaction|commit|rollback|savepoint|release|set|lock)\b/i

/**
 * Gives each text of SQL one name for the life of the process, so that every session plans it once: unnamed
 * statements are planned each time (docs/decisions/0001-database.md has the cost). When the names are used up,
 * further texts go unnamed: they work, slower.
 */
export function createStatementNames(limit = mostNames): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= limit || text.length > longestText || unnamed.test(text)) return undefined
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}

/**
 * The thin wrapper between Kysely and `pg`: the same pool, every statement by name. `uniqueNames` makes the names
 * of each connection its own, for the embedded database, whose connections share one session and with it one
 * list of prepared statements.
 */
export function preparedPool(pool: Pool, options: { uniqueNames: boolean }): PostgresPool {
  const nameOf = createStatementNames()
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  const prefix = options.uniqueNames ? `${Math.random().toString(36).slice(2, 10)}_` : ''
  let connections = 0

  function wrap(client: PoolClient): PostgresPoolClient {
    connections += 1
    let lost: Error | undefined
    // Without a listener the loss of a connection in use would end the whole process.
    client.on('error', (error) => {
      lost ??= error
    })
    const own = options.uniqueNames ? `${prefix}${connections}_` : ''
    function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
    function query<C>(cursor: C): C
    function query(text: unknown, values?: readonly unknown[]): unknown {
      if (typeof text !== 'string') throw new TypeError('Cursors of Kysely are not set up; use the pool')
      const name = nameOf(text)
      return client
        .query({ text, values: [...(values ?? [])], ...(name && { name: own + name }) })
        .catch((error: unknown) => {
          // The server says why it ends a connection, a moment before it does. The statements after that fail with
          // «not queryable»: they get the reason, and the next caller another connection.
          if (error instanceof Error && 'severity' in error && error.severity === 'FATAL') lost ??= error
          throw lost && lost !== error ? new Error(lost.message, { cause: lost }) : error
        })
    }
    return { query, release: (destroy) => client.release(destroy || lost !== undefined) }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool, options.uniqueNames)
      const known = wrapped.get(client)
      if (known) return known
      const fresh = wrap(client)
      wrapped.set(client, fresh)
      return fresh
    },
  }
}

/** Nobody gave a connection back in time. Its code is the one of a database that takes no more: callers may try again. */
class NoConnection extends Error {
  readonly code = '53300'
}

/**
 * The driver says «timeout exceeded when trying to connect», whatever the reason; this names the usual one. On the
 * embedded database a new connection, too, has to wait for the transaction that has the session.
 */
async function connect(pool: Pool, embedded: boolean): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (!text.startsWith('timeout exceeded') && !(embedded && text.includes('connection timeout')))
      throw error
    const seconds = (pool.options.connectionTimeoutMillis ?? 0) / 1000
    throw new NoConnection(
      `No database connection came free within ${seconds} s: too much at once, or db used inside a transaction.`,
      { cause: error },
    )
  }
}
