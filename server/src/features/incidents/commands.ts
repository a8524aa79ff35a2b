import type { incidentForm, reportForm } from '@podium/contract/incidents'
import { foldName } from '@podium/contract/names'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal, refuseField } from '#platform/errors'
import type { OfficeScope } from '#platform/scope'
import { pastMoment, timesOf } from './commands-times.ts'
import { dueOf, momentText } from './rules.ts'

type Form = z.output<typeof incidentForm>
type Report = z.output<typeof reportForm>

export const subjectOf = (id: number) => ({ kind: 'incident', id })

function columnsOf(form: Form, now: Date) {
  const { title, drill, nature, happened, extent, consequences, measures, safety, contact } = form
  const told = { title, drill, nature, happened, extent, consequences, measures, safety, contact }
  return { ...told, ...timesOf(form, now), search_key: foldName(`${title} ${happened}`) }
}

type Columns = ReturnType<typeof columnsOf>
type Kept = Omit<Columns, 'nature' | 'search_key'> & { nature: string }

/** What a line of the record keeps of it. */
function shownOf({ title, drill, nature, found_at, began_at, happened, extent, ...row }: Kept) {
  const { consequences, measures, safety, contact } = row
  const times = { found: momentText(found_at), began: momentText(began_at) }
  return { title, drill, nature, ...times, happened, extent, consequences, measures, safety, contact }
}

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

interface Seen {
  id: number
  version: number
}

/**
 * Locks a breach that is open and as it was seen, while no mails leave; gives it its next version. What somebody asked
 * to be sent was another wording or other people then: unless `keeps`, it has to be asked for again.
 */
export async function lockOpen(tx: Tx, { id, version }: Seen, how: 'keeps' | 'asksAgain' = 'asksAgain') {
  const row = found(
    await tx
      .selectFrom('incidents')
      .select([
        'id',
        'title',
        'search_key',
        'nature',
        'began_at',
        'found_at',
        'happened',
        'extent',
        'consequences',
        'measures',
        'safety',
        'contact',
        'drill',
        'state',
        'conclusion',
        'closed_by',
        'closed_at',
        'opened_by',
        'opened_at',
        'words',
        'send_asked_by',
        'send_asked_at',
        'send_approved_by',
        'send_approved_at',
        'job_id',
        'version',
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (row.version !== version) throw new Refusal('changed_meanwhile')
  if (row.state !== 'open') throw new Refusal('incident.closed')
  if (await isSending(tx, row.job_id)) throw new Refusal('incident.sending')
  const asked = how === 'keeps' ? {} : { send_asked_by: null, send_asked_at: null }
  await tx
    .updateTable('incidents')
    .set({ version: version + 1, ...asked })
    .where('id', '=', id)
    .execute()
  return row
}

async function isSending(tx: Tx, jobId: string | null): Promise<boolean> {
  if (jobId === null) return false
  const job = await tx
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', jobId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return job !== undefined
}

/** Writes down what has become known. */
export async function changeIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, ...form }: Form & Seen,
): Promise<void> {
  const columns = columnsOf(form, now)
  const before = await lockOpen(tx, { id, version }, 'keeps')
  await tx.updateTable('incidents').set(columns).where('id', '=', id).execute()
  await audit(tx, now, scope, 'incident.changed', subjectOf(id), {
    from: shownOf(before),
    to: shownOf(columns),
  })
}

/** Notes that a report was made, or why none is needed; what was noted before stays in the record of changes. */
export async function noteReport(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, clock, outcome, day, time, note }: Report & Seen,
): Promise<void> {
  const at = pastMoment(day, time, 'day', now)
  const { found_at } = await lockOpen(tx, { id, version }, 'keeps')
  if (at < found_at) throw refuseField('day', sentences.incidentReportEarly)
  const said = { outcome, at, note, staff_id: scope.staffId, noted_at: now }
  await tx
    .insertInto('incident_reports')
    .values({ incident_id: id, clock, ...said })
    .onConflict((conflict) => conflict.columns(['incident_id', 'clock']).doUpdateSet(said))
    .execute()
  const late = outcome === 'made' && at > dueOf(found_at, clock)
  const change = { report: clock, outcome, reported: momentText(at), late, note }
  await audit(tx, now, scope, 'incident.report_noted', subjectOf(id), change)
}

/** Closes a breach: both reports are noted and everybody affected was told. */
export async function closeIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, conclusion }: Seen & { conclusion: string },
): Promise<void> {
  await lockOpen(tx, { id, version })
  const { rows } = await sql<{ reports: number; waiting: boolean }>`
    select (select count(*)::int from incident_reports where incident_id = ${id}) as reports,
      exists (select from incident_people where incident_id = ${id} and told_at is null) as waiting`.execute(
    tx,
  )
  if ((rows[0]?.reports ?? 0) < 2) throw new Refusal('incident.reports_open')
  if (rows[0]?.waiting) throw new Refusal('incident.people_waiting')
  await tx
    .updateTable('incidents')
    .set({ state: 'closed', conclusion, closed_by: scope.staffId, closed_at: now })
    .where('id', '=', id)
    .execute()
  await audit(tx, now, scope, 'incident.closed', subjectOf(id), { conclusion })
}

/** Takes a closed breach up again; its conclusion stays in the record of changes. */
export async function reopenIncident(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, reason }: Seen & { reason: string },
): Promise<void> {
  const row = found(
    await tx
      .selectFrom('incidents')
      .select([
        'id',
        'title',
        'search_key',
        'nature',
        'began_at',
        'found_at',
        'happened',
        'extent',
        'consequences',
        'measures',
        'safety',
        'contact',
        'drill',
        'state',
        'conclusion',
        'closed_by',
        'closed_at',
        'opened_by',
        'opened_at',
        'words',
        'send_asked_by',
        'send_asked_at',
        'send_approved_by',
        'send_approved_at',
        'job_id',
        'version',
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (row.version !== version) throw new Refusal('changed_meanwhile')
  if (row.state !== 'closed') throw new Refusal('incident.open')
  await tx
    .updateTable('incidents')
    .set({ state: 'open', conclusion: '', closed_by: null, closed_at: null, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await audit(tx, now, scope, 'incident.reopened', subjectOf(id), { reason, conclusion: row.conclusion })
}
