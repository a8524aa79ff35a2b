import type { PickForm } from '@podium/contract/incidents-people'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import type { OfficeScope } from '#platform/scope'
import { lockOpen, subjectOf } from './commands.ts'
import { countMeant, type Meant, meantBy } from './queries-pick.ts'
import { momentText } from './rules.ts'

interface Seen {
  id: number
  version: number
}

/** Adds those who are picked to those affected; whoever is there already stays once. Answers how many are new. */
export async function addPick(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, pick }: Seen & { pick: PickForm },
): Promise<number> {
  // Tens of thousands of rows take longer than a usual statement may.
  await sql`set local statement_timeout = '30s'`.execute(tx)
  await lockOpen(tx, { id, version })
  const meant = await meantBy(tx, pick)
  const { added, children, people } = await countMeant(tx, id, meant)
  if (added === 0) throw new Refusal('incident.nobody_found')
  const kept = await tx
    .insertInto('incident_picks')
    .values({
      incident_id: id,
      how: pick.how,
      what: JSON.stringify(meant.what),
      children,
      people,
      staff_id: scope.staffId,
      at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const who = sql`(select distinct student_id, user_id from (${meant.who}) w)`
  await sql`
    insert into incident_people (incident_id, student_id, user_id)
    select ${id}::bigint, f.student_id, f.user_id from ${who} f
    where not exists (select from incident_people p where p.incident_id = ${id} and p.student_id = f.student_id)
      and not exists (select from incident_people p where p.incident_id = ${id} and p.user_id = f.user_id)
    order by f.student_id, f.user_id`.execute(tx)
  await sql`
    insert into incident_picked (pick_id, person_id)
    select ${kept.id}::bigint, p.id from ${who} f join incident_people p on p.incident_id = ${id} and p.student_id = f.student_id
    union all
    select ${kept.id}::bigint, p.id from ${who} f join incident_people p on p.incident_id = ${id} and p.user_id = f.user_id`.execute(
    tx,
  )
  const change = { how: pick.how, ...readable(meant.what), children, people, added }
  await audit(tx, now, scope, 'incident.picked', subjectOf(id), change)
  return added
}

/** What was asked for as a line of the record says it: instants in India's time. */
function readable({ from, until, ...rest }: Meant['what']) {
  return typeof from === 'string' && typeof until === 'string'
    ? { ...rest, between: `${momentText(from)}, ${momentText(until)}` }
    : rest
}

/** Takes a pick back, with those whom no other pick names and whom nobody has told. */
export async function removePick(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, pickId }: Seen & { pickId: number },
): Promise<void> {
  await lockOpen(tx, { id, version })
  const pick = found(
    await tx
      .deleteFrom('incident_picks')
      .where('id', '=', pickId)
      .where('incident_id', '=', id)
      .returning(['how', 'children', 'people'])
      .executeTakeFirst(),
  )
  const { numAffectedRows } = await sql`
    delete from incident_people p where p.incident_id = ${id} and p.told_at is null
      and not exists (select from incident_picked k where k.person_id = p.id)`.execute(tx)
  const change = { ...pick, removed: Number(numAffectedRows ?? 0) }
  await audit(tx, now, scope, 'incident.unpicked', subjectOf(id), change)
}
