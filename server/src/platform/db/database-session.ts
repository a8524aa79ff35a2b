import type pg from 'pg'
import { DatabaseRefused } from './database-fault.ts'

/** In milliseconds. */
interface Limits {
  statement: number
  lock: number
  idleInTransaction: number
}

/** What a session is told before it is used. */
export const sessionSettings = ({ statement, lock, idleInTransaction }: Limits): string[] => [
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
export async function refuseOtherSettings(
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
