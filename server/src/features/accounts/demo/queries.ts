import type { Db } from '#platform/db/database'
import { readFoundation } from '#platform/foundation'
import { demoUnderWay } from './rules.ts'

/** Whether this database is the demo world, whole: only then are its mails and codes for everybody to see. */
export async function isDemoWorld(db: Db): Promise<boolean> {
  return (await readFoundation(db)).demo
}

/** Whether people of the demo world are in this database: of the whole one, or of one that was broken off. */
export async function holdsDemoPeople(db: Db): Promise<boolean> {
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
