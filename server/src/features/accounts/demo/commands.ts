import type { Db } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { readFoundation } from '#platform/foundation'
import { SettingError } from '#platform/settings'
import { demoInProgress } from './rules.ts'

/** Whether this database is the complete demo world: only then are its e-mails and codes public. */
export async function isDemoWorld(db: Db): Promise<boolean> {
  return (await readFoundation(db)).demo
}

/** Whether this database contains demo users, from a complete or an interrupted demo world. */
async function holdsDemoPeople(db: Db): Promise<boolean> {
  if (await isDemoWorld(db)) return true
  const begun = await firstRow(db, 'counters', { name: demoInProgress }, ['name'])
  return begun !== undefined
}

/** Name and current school of accounts, by e-mail. */
export async function findPeople(db: Db, emails: readonly string[]) {
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('schools as s', 's.id', 'u.school_id')
    .select(['u.email', 'u.name', 's.name as school'])
    .where('u.email', '=', (values) => values.fn.any(values.val([...emails])))
    .execute()
  return new Map(rows.map((row) => [row.email, row]))
}

/** Refuses to run on a demo world without DEMO, because its passwords, second factors and codes are public. */
export async function refuseDemoWorld({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  if (settings.demo || !(await holdsDemoPeople(db))) return
  throw new SettingError(
    'DEMO is off, but this database is the demo world, whose passwords are known to everybody: set DATABASE_URL or DATA_DIR to another one',
  )
}
