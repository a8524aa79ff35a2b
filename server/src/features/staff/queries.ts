import { sql } from 'kysely'
import type { Db } from '#platform/database'

/** How much waits for the office, for the numbers in its menu. */
export async function countWaiting(db: Db): Promise<{ applications: number; payments: number }> {
  const { rows } = await sql<{ applications: number; payments: number }>`
    select (select count(*) from applications where state_of_review = 'submitted') as applications,
           (select count(*) from payments where state = 'pending') as payments`.execute(db)
  return rows[0] ?? { applications: 0, payments: 0 }
}
