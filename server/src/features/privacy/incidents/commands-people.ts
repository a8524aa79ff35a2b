import type { AffectedForm } from '@podium/contract/privacy/calls-incidents'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { lockIncident, type Seen, subjectOf } from './commands.ts'
import { addressOf, affectedBy, countAffected } from './queries-people.ts'

/** Adds people to those affected; whoever is there already stays once. Answers how many are new. */
export async function addAffected(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, who }: Seen & { who: AffectedForm },
): Promise<number> {
  // Tens of thousands of rows take longer than a usual statement may.
  await sql`set local statement_timeout = '30s'`.execute(tx)
  await lockIncident(tx, { id, version })
  const meant = await affectedBy(tx, who)
  const { added, children, people } = await countAffected(tx, id, meant.people)
  if (added === 0) throw new Refusal('incident.nobody_found')
  await sql`
    insert into incident_people (incident_id, student_id, user_id)
    select distinct ${id}::bigint, f.student_id, f.user_id from (${meant.people}) f
    where not exists (select from incident_people p where p.incident_id = ${id} and p.student_id = f.student_id)
      and not exists (select from incident_people p where p.incident_id = ${id} and p.user_id = f.user_id)
    order by f.student_id, f.user_id`.execute(tx)
  await audit(tx, now, scope, 'incident.picked', subjectOf(id), { ...meant.what, children, people, added })
  return added
}

const named = (people: readonly number[]) =>
  people.length === 0 ? sql`` : sql`and p.id = any(${[...people]}::bigint[])`

/** Takes people out whom nobody has told: those named, or all. Answers how many. */
export async function removeAffected(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, people }: Seen & { people: readonly number[] },
): Promise<number> {
  await lockIncident(tx, { id, version })
  const { numAffectedRows } = await sql`
    delete from incident_people p where p.incident_id = ${id} and p.told_at is null ${named(people)}`.execute(
    tx,
  )
  const removed = Number(numAffectedRows ?? 0)
  if (removed === 0) throw new Refusal('changed_meanwhile')
  await audit(tx, now, scope, 'incident.unpicked', subjectOf(id), { removed })
  return removed
}

/** Notes how those who have no e-mail were told: those named, or all who wait. Answers how many. */
export async function noteTold(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, people, note }: Seen & { people: readonly number[]; note: string },
): Promise<number> {
  await lockIncident(tx, { id, version })
  const { numAffectedRows } = await sql`
    update incident_people p set told_at = ${now}, told_by_way = 'otherwise', told_note = ${note}
    where p.incident_id = ${id} and p.told_at is null ${named(people)} and ${addressOf} = ''`.execute(tx)
  const told = Number(numAffectedRows ?? 0)
  if (told === 0) throw new Refusal('changed_meanwhile')
  await audit(tx, now, scope, 'incident.told_otherwise', subjectOf(id), { told, note })
  return told
}
