import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import type { FamilyScope, SchoolScope } from '#platform/scope'
import { newCode } from '#platform/secrets'
import type { ReleasedResult } from './queries-public.ts'
import { publicPage } from './rules-public.ts'

/** Letters and digits of a number: 59 random bits, so that nobody finds one by trying. */
const numberLength = 12

const subjectOf = (row: ReleasedResult) => ({
  kind: 'result',
  id: `${row.event_id}-${row.student_id}`,
  schoolId: row.school_id,
  season: row.season,
})

/** The number of the certificate of a result: given at the first download, the same for every version after. */
export async function issueCertificate(
  tx: Tx,
  scope: SchoolScope | FamilyScope,
  now: Date,
  row: ReleasedResult,
): Promise<string> {
  const { student_id, event_id } = row
  await tx
    .insertInto('certificates')
    .values({ number: newCode(numberLength), student_id, event_id, created_at: now })
    .onConflict((conflict) => conflict.columns(['student_id', 'event_id']).doNothing())
    .execute()
  const { number } = await tx
    .selectFrom('certificates')
    .select('number')
    .where('student_id', '=', student_id)
    .where('event_id', '=', event_id)
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'results.certificate', subjectOf(row), { version: row.version })
  return number
}

/** Gives a result's public page a new address; every earlier one, of whichever version, leads nowhere from then on. */
export async function renewLink(tx: Tx, scope: SchoolScope, now: Date, row: ReleasedResult): Promise<string> {
  const renewed = await tx
    .updateTable('results')
    .set({ link_secret: sql`gen_random_uuid()` })
    .where('student_id', '=', row.student_id)
    .where('event_id', '=', row.event_id)
    .returning(['set_id', 'student_id', 'link_secret'])
    .execute()
  await audit(tx, now, scope, 'results.link_renewed', subjectOf(row))
  const current = renewed.find(({ set_id }) => set_id === row.set_id) ?? row
  return publicPage(current)
}
