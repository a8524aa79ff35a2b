import { type RawBuilder, sql } from 'kysely'
import { testDatabase } from './database.ts'

/**
 * Holds what a statement locks until each of these calls waits for it, one after the other, so that all of them have begun
 * when the first goes on; or until one has ended without waiting. Gives their answers.
 */
export async function whileHeld<T>(
  held: RawBuilder<unknown>,
  calls: ReadonlyArray<() => Promise<T>>,
): Promise<T[]> {
  const { db } = await testDatabase()
  const started: Array<Promise<T>> = []
  let ended = 0
  await db.transaction().execute(async (tx) => {
    await held.execute(tx)
    for (const call of calls) {
      started.push(call().finally(() => ended++))
      for (let waiting = 0; waiting < started.length && ended === 0; ) {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        waiting = rows[0]?.waiting ?? 0
      }
    }
  })
  return Promise.all(started)
}
