import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { readFoundation } from '#platform/foundation'
import { SettingError } from '#platform/settings'
import { demoUnderWay } from './rules.ts'

/** Whether this database is the demo world, whole: only then are its mails and codes for everybody to see. */
export async function isDemoWorld(db: Db): Promise<boolean> {
  return (await readFoundation(db)).demo
}

/** Whether people of the demo world are in this database: of the whole one, or of one that was broken off. */
async function holdsDemoPeople(db: Db): Promise<boolean> {
  if (await isDemoWorld(db)) return true
  const begun = await db
    .selectFrom('counters')
    .select('name')
    .where('name', '=', demoUnderWay)
    .executeTakeFirst()
  return begun !== undefined
}

/** School accounts by e-mail: who they are and at which school, as it is now. */
export async function findPeople(db: Db, emails: readonly string[]) {
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('schools as s', 's.id', 'u.school_id')
    .select(['u.email', 'u.name', 's.name as school'])
    .where('u.email', '=', (values) => values.fn.any(values.val([...emails])))
    .execute()
  return new Map(rows.map((row) => [row.email, row]))
}

/** Everybody can read the demo world's passwords, second factors and access codes: without DEMO nobody is let into one. */
export async function refuseDemoWorld({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  if (settings.demo || !(await holdsDemoPeople(db))) return
  throw new SettingError(
    'DEMO is off, but this database is the demo world, whose passwords are known to everybody: set DATABASE_URL or DATA_DIR to another one',
  )
}
