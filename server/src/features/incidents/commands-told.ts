import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { Refusal } from '#platform/errors'
import type { OfficeScope } from '#platform/scope'
import { lockOpen, subjectOf } from './commands.ts'

interface Told {
  id: number
  version: number
  people: readonly number[]
  note: string
}

/** Notes how those who have no e-mail were told: those named, or all who wait. Answers how many. */
export async function noteTold(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, people, note }: Told,
): Promise<number> {
  await lockOpen(tx, { id, version })
  const some = people.length === 0 ? sql`` : sql`and p.id = any(${[...people]}::bigint[])`
  const { numAffectedRows } = await sql`
    update incident_people p set told_at = ${now}, told_by_way = 'otherwise', told_note = ${note}
    where p.incident_id = ${id} and p.told_at is null ${some}
      and coalesce((select st.parent_email from students st where st.id = p.student_id), '') = '' and p.user_id is null`.execute(
    tx,
  )
  const told = Number(numAffectedRows ?? 0)
  if (told === 0) throw new Refusal('changed_meanwhile')
  await audit(tx, now, scope, 'incident.told_otherwise', subjectOf(id), { told, note })
  return told
}
