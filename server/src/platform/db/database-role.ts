import type { Pool } from 'pg'
import { DatabaseRefused } from './database-fault.ts'

/**
 * What the portal's role gets on a database whose tables another role has made (docs/security.md, T42): rows, and nothing that
 * outlives them. Tables of its own it makes for a transaction. The record of migrations it only reads.
 */
const rights = (role: string, schema: string, database: string) => [
  `grant connect, temporary on database ${database} to ${role}`,
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `revoke insert, update, delete on ${schema}.schema_migrations from ${role}`,
]

interface Named {
  role: string
  schema: string
  database: string
  there: boolean
  same: boolean
}

/** Gives a role these rights; what it has of them already stays. Throws {@link DatabaseRefused} where there is no such role, or it is the owner's own. */
export async function grantUse(pool: Pool, role: string): Promise<void> {
  const { rows } = await pool.query<Named>(
    `select format('%I', $1::text) as role, format('%I', current_schema()) as schema,
       format('%I', current_database()) as database, $1 = current_user as same,
       exists (select from pg_roles where rolname = $1) as there`,
    [role],
  )
  for (const { there, same, ...names } of rows) {
    if (same)
      throw new DatabaseRefused(
        'DATABASE_MIGRATE_URL and DATABASE_URL name the same role: leave the first one out, or make a role for the portal.',
      )
    if (!there)
      throw new DatabaseRefused(
        `The database has no role ${names.role}, which DATABASE_URL names: create role ${names.role} login password '…';`,
      )
    for (const right of rights(names.role, names.schema, names.database)) await pool.query(right)
  }
}
