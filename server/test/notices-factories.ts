import { testDatabase } from './database.ts'
import { aDay, anOfficer } from './factories.ts'

/** A notice for one school alone, live on `aDay`; gives its id. */
export async function aNoticeFor({ schoolId }: { schoolId: number }): Promise<number> {
  const { db } = await testDatabase()
  const { id: staffId } = await anOfficer('operations')
  const { id } = await db
    .insertInto('notices')
    .values({
      title: 'Books leave on Monday',
      body: 'Parcels leave on Monday.',
      audience: 'school',
      school_id: schoolId,
      shows_from: '2026-11-21',
      shows_until: '2026-11-30',
      created_by: staffId,
      created_at: aDay,
      changed_by: staffId,
      changed_at: aDay,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
