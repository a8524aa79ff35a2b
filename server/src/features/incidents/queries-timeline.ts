import { en as actionWords } from '@podium/contract/changes-words-actions.en'
import { en as fields } from '@podium/contract/changes-words-fields.en'
import { en as values } from '@podium/contract/changes-words-values.en'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import type { JsonValue } from '#platform/schema.generated'
import { leavesOf, type Told } from '../changes/rules.ts'
import { saidOf } from '../changes/rules-said.ts'

export interface TimelineLine {
  at: string
  action: string
  says: string
  by: string
}

/** The steps of a breach; who took its report is none. */
const steps = Object.entries(actionWords).flatMap(([code, says]): [string, string][] =>
  code.startsWith('incident_') && !/_(exported|file_taken)$/.test(code)
    ? [[code.replace('incident_', 'incident.'), says]]
    : [],
)
const actions = new Map(steps)

/** Every step of a breach from the record of changes, the first one first; who took the report is no step of it. */
export async function timelineOf(tx: Tx, incidentId: number): Promise<TimelineLine[]> {
  const { rows } = await sql<{ at: Date; action: string; by: string; change: JsonValue }>`
    select a.at, a.action, a.actor_name as by, a.change from audit a
    where a.subject_kind = 'incident' and a.subject_id = ${String(incidentId)} and a.action = any(${[...actions.keys()]}::text[])
    order by a.id`.execute(tx)
  return rows.map(({ at, action, by, change }) => ({
    at: at.toISOString(),
    action: actions.get(action) ?? action,
    says: action === 'incident.opened' ? '' : told(action, change as Told),
    by,
  }))
}

const fieldName = (field: string): string =>
  new Map(Object.entries(fields)).get(field.replaceAll(/[^a-zA-Z]/g, '').toLowerCase()) ?? field
const valueName = (value: string): string =>
  new Map(Object.entries(values)).get(value.replaceAll(/[^a-zA-Z0-9]/g, '_')) ?? value

const told = (action: string, change: Told): string =>
  leavesOf(change)
    .map((leaf) => saidOf(action, leaf, () => undefined))
    .map(({ field, from, to, within = [], as }) => {
      const name = [...within, field].map(fieldName).join(', ')
      const [before, after] = as === 'words' ? [valueName(from), valueName(to)] : [from, to]
      return before === '' ? `${name}: ${after}` : `${name}: ${before} → ${after}`
    })
    .join('; ')
