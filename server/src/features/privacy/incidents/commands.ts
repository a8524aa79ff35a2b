import { foldName } from '@podium/contract/names'
import {
  type AffectedForm,
  type IncidentMail,
  type incidentForm,
  maxAtOnce,
} from '@podium/contract/privacy/calls-incidents'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, changeRows } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { markForWake } from '#platform/jobs/worker'
import { addressOf, countAffected, lettersOf, momentOf, momentText, selectAffected } from './queries.ts'

type Form = z.output<typeof incidentForm>

interface IncidentVersion {
  id: number
  version: number
}

const subjectOf = (id: number) => ({ kind: 'incident', id })

function columnsOf({ foundDay, foundTime, ...form }: Form, now: Date) {
  const found_at = momentOf(foundDay, foundTime)
  if (Number.isNaN(found_at.getTime())) throw refuseField('foundDay', sentences.incidentMoment)
  if (found_at > now) throw refuseField('foundDay', sentences.incidentInFuture)
  return { ...form, found_at, search_key: foldName(`${form.title} ${form.happened}`) }
}

type Columns = Omit<ReturnType<typeof columnsOf>, 'search_key' | 'nature'> & { nature: string }

/** An incident as recorded in the activity log. */
const shownOf = ({ title, nature, found_at, happened, extent, measures }: Columns) => ({
  ...{ title, nature, found: momentText(found_at), happened, extent, measures },
})

/** Records a breach and returns its id. */
export async function openIncident(tx: Tx, scope: OfficeScope, now: Date, form: Form): Promise<number> {
  const columns = columnsOf(form, now)
  const { id } = await addedRow(tx, 'incidents', ['id'], {
    ...columns,
    opened_by: scope.staffId,
    opened_at: now,
  })
  await audit(tx, now, scope, 'incident.opened', subjectOf(id), shownOf(columns))
  return id
}

type LockedIncident = Columns & {
  state: 'open' | 'closed'
  version: number
  mail: IncidentMail | null
  sentAt: Date | null
}

/** Locks a breach at the version shown and increments it. Refuses one in the other state. */
async function lockIncident(tx: Tx, { id, version }: IncidentVersion, state: 'open' | 'closed' = 'open') {
  const { rows } = await sql<LockedIncident>`
    select title, nature, found_at, happened, extent, measures, state, version, mail, sent_at as "sentAt"
    from incidents where id = ${id} for update`.execute(tx)
  const row = orNotFound(rows[0])
  if (row.version !== version) throw new Refusal('changed_meanwhile')
  if (row.state !== state) throw new Refusal(state === 'open' ? 'incident.closed' : 'incident.open')
  await sql`update incidents set version = version + 1 where id = ${id}`.execute(tx)
  return row
}

/** Updates the details of a breach. */
export async function changeIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, ...form }: Form & IncidentVersion,
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

const storeNote = (tx: Tx, scope: OfficeScope, now: Date, { id, text }: Note) =>
  sql`insert into incident_notes (incident_id, text, staff_id, at)
    select id, ${text}, ${scope.staffId}, ${now} from incidents
    where id = ${id} and state = 'open'`.execute(tx)

/** Adds a note. Notes never change. */
export async function noteIncident(tx: Tx, scope: OfficeScope, now: Date, note: Note): Promise<void> {
  const storedNote = await storeNote(tx, scope, now, note)
  if (storedNote.numAffectedRows !== 1n) {
    const { rows } = await sql`select from incidents where id = ${note.id}`.execute(tx)
    orNotFound(rows[0])
    throw new Refusal('incident.closed')
  }
  await audit(tx, now, scope, 'incident.noted', subjectOf(note.id), { note: note.text })
}

/** Closes a breach once everyone affected has been notified. The conclusion is its last note. */
export async function closeIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, note }: IncidentVersion & { note: string },
): Promise<void> {
  await lockIncident(tx, { id, version })
  const { rows } = await sql`
    select from incident_people where incident_id = ${id} and notified_at is null limit 1`.execute(tx)
  if (rows.length > 0) throw new Refusal('incident.people_waiting')
  await storeNote(tx, scope, now, { id, text: note })
  await sql`update incidents set state = 'closed', closed_by = ${scope.staffId}, closed_at = ${now}
    where id = ${id}`.execute(tx)
  await audit(tx, now, scope, 'incident.closed', subjectOf(id), { note })
}

/** Reopens a closed breach. */
export async function reopenIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, reason }: IncidentVersion & { reason: string },
): Promise<void> {
  await lockIncident(tx, { id, version }, 'closed')
  await sql`update incidents set state = 'open', closed_by = null, closed_at = null
    where id = ${id}`.execute(tx)
  await storeNote(tx, scope, now, { id, text: reason })
  await audit(tx, now, scope, 'incident.reopened', subjectOf(id), { reason })
}

/** Adds affected people; existing ones are not duplicated. Returns how many are new. */
export async function addAffected(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, who }: IncidentVersion & { who: AffectedForm },
): Promise<number> {
  // Tens of thousands of rows take longer than a usual statement may.
  await sql`set local statement_timeout = '30s'`.execute(tx)
  await lockIncident(tx, { id, version })
  const affected = await selectAffected(tx, who)
  const { added, children, people } = await countAffected(tx, id, affected.people)
  if (added === 0) throw new Refusal('incident.nobody_found')
  await sql`
    insert into incident_people (incident_id, student_id, user_id)
    select distinct ${id}::bigint, f.student_id, f.user_id from (${affected.people}) f
    where not exists (select from incident_people p where p.incident_id = ${id} and p.student_id = f.student_id)
      and not exists (select from incident_people p where p.incident_id = ${id} and p.user_id = f.user_id)
    order by f.student_id, f.user_id`.execute(tx)
  await audit(tx, now, scope, 'incident.picked', subjectOf(id), { ...affected.what, children, people, added })
  return added
}

const named = (people: readonly number[]) =>
  people.length === 0 ? sql`` : sql`and p.id = any(${[...people]}::bigint[])`

/** Removes people who have not been notified: the given ones, or all. Returns how many. */
export async function removeAffected(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, people }: IncidentVersion & { people: readonly number[] },
): Promise<number> {
  await lockIncident(tx, { id, version })
  const { numAffectedRows } = await sql`
    delete from incident_people p
    where p.incident_id = ${id} and p.notified_at is null ${named(people)}`.execute(tx)
  const removed = Number(numAffectedRows ?? 0)
  if (removed === 0) throw new Refusal('changed_meanwhile')
  await audit(tx, now, scope, 'incident.unpicked', subjectOf(id), { removed })
  return removed
}

/** Records how people without e-mail were notified: the given ones, or all pending. Returns how many. */
export async function markNotified(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, people, note }: IncidentVersion & { people: readonly number[]; note: string },
): Promise<number> {
  await lockIncident(tx, { id, version })
  const { numAffectedRows } = await sql`
    update incident_people p set notified_at = ${now}, notified_via = 'otherwise', notified_note = ${note}
    where p.incident_id = ${id} and p.notified_at is null ${named(people)} and ${addressOf} = ''`.execute(tx)
  const notified = Number(numAffectedRows ?? 0)
  if (notified === 0) throw new Refusal('changed_meanwhile')
  await audit(tx, now, scope, 'incident.notified_otherwise', subjectOf(id), { notified, note })
  return notified
}

/** Saves the e-mail in both languages. Once sent to anyone it can't change. */
export async function saveMail(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, mail }: IncidentVersion & { mail: IncidentMail },
): Promise<void> {
  const before = await lockIncident(tx, { id, version })
  if (before.sentAt !== null) throw new Refusal('incident.sent')
  await changeRows(tx, 'incidents', { where: { id }, set: { mail: JSON.stringify(mail) } })
  await audit(tx, now, scope, 'incident.worded', subjectOf(id), { from: { ...before.mail }, to: mail })
}

/**
 * Sends the e-mail to everyone pending who has an address, at most `maxAtOnce`: one to each address, in the reader's
 * language, or in both if a family has not chosen one. People added later get it with the next sending. The lock on the breach
 * prevents concurrent sendings. Returns how many people were notified with how many e-mails.
 */
export async function sendMail(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: IncidentVersion,
): Promise<{ people: number; mails: number }> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { mail } = await lockIncident(tx, seen)
  if (mail === null) throw new Refusal('incident.mail_missing')
  const { en, hi } = await lettersOf(tx, mail)
  const both = { subject: `${en.subject} / ${hi.subject}`, text: `${en.text}\n* * *\n\n${hi.text}` }
  const letters = JSON.stringify({ en, hi, both })
  const { rows } = await sql<{ people: number; mails: number }>`
    with waiting as (
      select p.id, ${addressOf} as address, coalesce(
        (select u.language from users u where u.id = p.user_id),
        (select c.language from consents c where c.student_id = p.student_id order by c.id desc limit 1)) as language
      from incident_people p where p.incident_id = ${seen.id} and p.notified_at is null and ${addressOf} <> ''
      order by p.id limit ${maxAtOnce}),
    readers as (
      select address, ${`incident:${seen.id}:`} || min(id) as key, coalesce(min(language) filter (where language in ('en', 'hi')), 'both') as language
      from waiting group by address),
    mailed as (
      insert into outbox (key, kind, payload, created_at, due_at)
      select key, 'incident', ${letters}::jsonb -> language || jsonb_build_object('to', jsonb_build_object('name', '', 'address', address)), ${now}, ${now}
      from readers order by key returning 1),
    notified as (
      update incident_people p set notified_at = ${now}, notified_via = 'mail', mail_key = r.key
      from waiting w join readers r on r.address = w.address where p.id = w.id returning 1)
    select (select count(*)::int from notified) as people,
    (select count(*)::int from mailed) as mails`.execute(tx)
  const sent = rows[0] ?? { people: 0, mails: 0 }
  if (sent.people === 0) throw new Refusal('incident.nobody_to_tell')
  markForWake(tx)
  await sql`update incidents set sent_by = ${scope.staffId}, sent_at = ${now}
    where id = ${seen.id}`.execute(tx)
  await audit(tx, now, scope, 'incident.notified', subjectOf(seen.id), sent)
  return sent
}
