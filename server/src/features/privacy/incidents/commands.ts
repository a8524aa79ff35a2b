import { foldName } from '@podium/contract/names'
import type { IncidentMail, incidentForm } from '@podium/contract/privacy/calls-incidents'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { momentOf, momentText } from './rules.ts'

type Form = z.output<typeof incidentForm>

export interface Seen {
  id: number
  version: number
}

export const subjectOf = (id: number) => ({ kind: 'incident', id })

function columnsOf({ foundDay, foundTime, ...form }: Form, now: Date) {
  const found_at = momentOf(foundDay, foundTime)
  if (Number.isNaN(found_at.getTime())) throw refuseField('foundDay', sentences.incidentMoment)
  if (found_at > now) throw refuseField('foundDay', sentences.incidentInFuture)
  return { ...form, found_at, search_key: foldName(`${form.title} ${form.happened}`) }
}

type Columns = Omit<ReturnType<typeof columnsOf>, 'search_key' | 'nature'> & { nature: string }

/** What a line of the record keeps of it. */
const shownOf = ({ title, nature, found_at, happened, extent, measures }: Columns) => ({
  ...{ title, nature, found: momentText(found_at), happened, extent, measures },
})

/** Enters a breach. Answers its number. */
export async function openIncident(tx: Tx, scope: OfficeScope, now: Date, form: Form): Promise<number> {
  const columns = columnsOf(form, now)
  const { id } = await tx
    .insertInto('incidents')
    .values({ ...columns, opened_by: scope.staffId, opened_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'incident.opened', subjectOf(id), shownOf(columns))
  return id
}

type Locked = Columns & {
  state: 'open' | 'closed'
  version: number
  mail: IncidentMail | null
  sentAt: Date | null
}

/** Locks a breach that is as it was seen and gives it its next version; refuses one of the other state. */
export async function lockIncident(tx: Tx, { id, version }: Seen, state: 'open' | 'closed' = 'open') {
  const { rows } = await sql<Locked>`
    select title, nature, found_at, happened, extent, measures, state, version, mail, sent_at as "sentAt"
    from incidents where id = ${id} for update`.execute(tx)
  const row = found(rows[0])
  if (row.version !== version) throw new Refusal('changed_meanwhile')
  if (row.state !== state) throw new Refusal(state === 'open' ? 'incident.closed' : 'incident.open')
  await sql`update incidents set version = version + 1 where id = ${id}`.execute(tx)
  return row
}

/** Writes down what has become known. */
export async function changeIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, ...form }: Form & Seen,
): Promise<void> {
  const columns = columnsOf(form, now)
  const before = await lockIncident(tx, { id, version })
  await tx.updateTable('incidents').set(columns).where('id', '=', id).execute()
  await audit(tx, now, scope, 'incident.changed', subjectOf(id), {
    from: shownOf(before),
    to: shownOf(columns),
  })
}

interface Note {
  id: number
  text: string
}

const keepNote = (tx: Tx, scope: OfficeScope, now: Date, { id, text }: Note) =>
  sql`insert into incident_notes (incident_id, text, staff_id, at)
    select id, ${text}, ${scope.staffId}, ${now} from incidents where id = ${id} and state = 'open'`.execute(
    tx,
  )

/** Adds a note; notes are never changed. */
export async function noteIncident(tx: Tx, scope: OfficeScope, now: Date, note: Note): Promise<void> {
  const kept = await keepNote(tx, scope, now, note)
  if (kept.numAffectedRows !== 1n) {
    const { rows } = await sql`select from incidents where id = ${note.id}`.execute(tx)
    found(rows[0])
    throw new Refusal('incident.closed')
  }
  await audit(tx, now, scope, 'incident.noted', subjectOf(note.id), { note: note.text })
}

/** Closes a breach once everybody affected was told; the conclusion is its last note. */
export async function closeIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, note }: Seen & { note: string },
): Promise<void> {
  await lockIncident(tx, { id, version })
  const { rows } = await sql`
    select from incident_people where incident_id = ${id} and told_at is null limit 1`.execute(tx)
  if (rows.length > 0) throw new Refusal('incident.people_waiting')
  await keepNote(tx, scope, now, { id, text: note })
  await sql`update incidents set state = 'closed', closed_by = ${scope.staffId}, closed_at = ${now} where id = ${id}`.execute(
    tx,
  )
  await audit(tx, now, scope, 'incident.closed', subjectOf(id), { note })
}

/** Takes a closed breach up again. */
export async function reopenIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, reason }: Seen & { reason: string },
): Promise<void> {
  await lockIncident(tx, { id, version }, 'closed')
  await sql`update incidents set state = 'open', closed_by = null, closed_at = null where id = ${id}`.execute(
    tx,
  )
  await keepNote(tx, scope, now, { id, text: reason })
  await audit(tx, now, scope, 'incident.reopened', subjectOf(id), { reason })
}
