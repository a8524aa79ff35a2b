import type { PoolClient } from 'pg'
import type { OpenedDatabase } from './database.ts'

/**
 * Migrations outside a transaction: indexes that are built while everybody reads and writes. PostgreSQL builds them in
 * several steps, and what is cut off half-way leaves an index that is kept up to date and never used.
 */

/** The first line of such a file. */
const marker = /^-- outside a transaction\b/

export const standsOutside = (text: string): boolean => marker.test(text)

export interface IndexStep {
  act: 'create' | 'drop'
  name: string
  sql: string
}

const created = /^create (?:unique )?index concurrently ([a-z_][a-z0-9_]*)\s+on\s/
const dropped = /^drop index concurrently if exists ([a-z_][a-z0-9_]*)$/

/**
 * The statements of a file outside a transaction, one after the other. It may make and drop indexes and nothing else:
 * of these it can be told whether they are done, so that the file can be begun again wherever it was cut off.
 */
export function indexSteps(text: string): IndexStep[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((sql) => {
      const make = created.exec(sql)?.[1]
      if (make) return { act: 'create', name: make, sql }
      const drop = dropped.exec(sql)?.[1]
      if (drop) return { act: 'drop', name: drop, sql }
      throw new Error(
        `outside a transaction stand «create [unique] index concurrently NAME on …» and «drop index concurrently if exists NAME» alone, not: ${sql}`,
      )
    })
}

/** Makes and drops the indexes of a file; what is there whole is left, what is there half is made anew. */
export async function applyIndexes(
  client: PoolClient,
  text: string,
  { pooler }: Pick<OpenedDatabase, 'pooler'>,
): Promise<void> {
  const steps = indexSteps(text)
  // Behind a pooler these would reach another session; the role's limits stand.
  if (pooler === undefined) await client.query('set statement_timeout = 0; set lock_timeout = 0')
  try {
    for (const step of steps) await apply(client, step)
  } catch (error) {
    if (pooler !== undefined && error instanceof Error && 'code' in error && error.code === '57014')
      throw new Error(
        'an index takes longer than the role lets a statement take. Start one instance with the address of the database itself as DATABASE_URL and without DATABASE_POOLER, which makes it, and then this one.',
        { cause: error },
      )
    throw error
  }
}

async function apply(client: PoolClient, { act, name, sql }: IndexStep): Promise<void> {
  if (act === 'create') {
    const found = await client.query<{ valid: boolean }>(
      `select i.indisvalid and i.indisready as valid from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relname = $1 and c.relnamespace = current_schema()::regnamespace`,
      [name],
    )
    if (found.rows[0]?.valid) return
    if (found.rows.length > 0) await client.query(`drop index concurrently if exists ${name}`)
  }
  await client.query(sql)
}
