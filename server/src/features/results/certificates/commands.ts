import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { FamilyScope, OfficeScope, SchoolScope } from '#platform/auth/scope'
import { newCode } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import type { ReleasedResult } from '../public-results/queries.ts'
import { publicPage } from '../public-results/rules.ts'
import { certified } from '../queries.ts'

/** Characters of a certificate number: 59 random bits, so that it can't be guessed. */
const numberLength = 12

const subjectOf = (row: ReleasedResult) => ({
  kind: 'result',
  id: `${row.event_id}-${row.student_id}`,
  schoolId: row.school_id,
  season: row.season,
})

/**
 * Revokes the certificates of an event that differ from the released version. Returns their numbers. Called when a correction
 * is released, and before numbers are issued, so that outdated certificates can't be printed again.
 */
export async function revokeOutdated(
  tx: Tx,
  now: Date,
  set: { id: number; eventId: number; version: number },
  students?: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    update certificates c set revoked_at = ${now}, revoked_by_version = ${set.version}
    where c.event_id = ${set.eventId} and c.revoked_at is null and c.set_id <> ${set.id}
      ${students === undefined ? sql`` : sql`and c.student_id = any(${students}::bigint[])`}
      and not exists (
        select from results a join results b on b.student_id = a.student_id and b.set_id = ${set.id}
        where a.set_id = c.set_id and a.student_id = c.student_id
          and (${certified('a')}) is not distinct from (${certified('b')}))
    returning c.number`.execute(tx)
  return rows.map(({ number }) => number)
}

/**
 * The certificate numbers of results of one event, in order. A number is issued at the first download and stays the same until
 * a correction changes the content.
 */
export async function issueCertificates(
  tx: Tx,
  scope: SchoolScope | FamilyScope | OfficeScope,
  now: Date,
  rows: readonly [ReleasedResult, ...ReleasedResult[]],
): Promise<string[]> {
  const eventId = rows[0].event_id
  const set = { id: rows[0].set_id, eventId, version: rows[0].version }
  // A correction that is being released revokes only what it finds: it waits for these numbers, or they for it.
  const { rows: current } = await sql`
    select from result_sets where id = ${set.id} and state <> 'superseded' for share`.execute(tx)
  if (current.length === 0) throw new Refusal('changed_meanwhile')
  const revoked = await revokeOutdated(
    tx,
    now,
    set,
    rows.map(({ student_id }) => student_id),
  )
  const wanted = rows.map(({ student_id, set_id }) => ({
    number: newCode(numberLength),
    student_id,
    event_id: eventId,
    set_id,
    created_at: now,
  }))
  await tx
    .insertInto('certificates')
    .values(wanted)
    .onConflict((conflict) =>
      conflict.columns(['student_id', 'event_id']).where('revoked_at', 'is', null).doNothing(),
    )
    .execute()
  const issued = await tx
    .selectFrom('certificates')
    .select(['student_id', 'number'])
    .where('event_id', '=', eventId)
    .where('revoked_at', 'is', null)
    .where(
      'student_id',
      'in',
      rows.map(({ student_id }) => student_id),
    )
    .execute()
  const numbers = new Map(issued.map(({ student_id, number }) => [student_id, number]))
  await audit(tx, now, scope, 'results.certificate', subjectOf(rows[0]), {
    version: rows[0].version,
    students: rows.map(({ student_id }) => student_id),
    ...(revoked.length === 0 ? {} : { revoked }),
  })
  return rows.map(({ student_id }) => orNotFound(numbers.get(student_id)))
}

/** Gives a result's public page a new address; all earlier ones, of any version, stop working. */
export async function renewLink(tx: Tx, scope: SchoolScope, now: Date, row: ReleasedResult): Promise<string> {
  const renewed = await changeRows(tx, 'results', {
    where: { student_id: row.student_id, event_id: row.event_id },
    set: { link_secret: sql`gen_random_uuid()` },
    returning: ['set_id', 'student_id', 'link_secret'],
  })
  await audit(tx, now, scope, 'results.link_renewed', subjectOf(row))
  const current = renewed.find(({ set_id }) => set_id === row.set_id) ?? row
  return publicPage(current)
}
