import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import type { JsonValue } from '#platform/schema.generated'
import { changesOf, type Told } from '../changes/rules.ts'

export interface TimelineLine {
  at: string
  action: string
  says: string
  by: string
}

const actions: Record<string, string> = {
  'incident.opened': 'Entered',
  'incident.changed': 'Changed',
  'incident.report_noted': 'Report noted',
  'incident.picked': 'Affected people added',
  'incident.unpicked': 'Affected people taken out',
  'incident.worded': 'Words of the mails written',
  'incident.sending_asked': 'Sending asked for',
  'incident.sending_withdrawn': 'Sending taken back',
  'incident.sending_approved': 'Sending approved',
  'incident.told': 'Affected people told by mail',
  'incident.told_otherwise': 'Affected people told otherwise',
  'incident.closed': 'Closed',
  'incident.reopened': 'Reopened',
}

/** Every step of a breach from the record of changes, the first one first; who took the report is no step of it. */
export async function timelineOf(tx: Tx, incidentId: number): Promise<TimelineLine[]> {
  const { rows } = await sql<{ at: Date; action: string; by: string; change: JsonValue }>`
    select a.at, a.action, a.actor_name as by, a.change from audit a
    where a.subject_kind = 'incident' and a.subject_id = ${String(incidentId)} and a.action = any(${Object.keys(actions)}::text[])
    order by a.id`.execute(tx)
  return rows.map(({ at, action, by, change }) => ({
    at: at.toISOString(),
    action: actions[action] ?? action,
    says: action === 'incident.opened' ? '' : saidOf(change as Told),
    by,
  }))
}

const saidOf = (change: Told): string =>
  changesOf(change)
    .map(({ field, from, to }) => (from === '' ? `${field}: ${to}` : `${field}: ${from} → ${to}`))
    .join('; ')
