import { catalogueMessages } from '@podium/contract/catalogue/messages'
import { fromRupees, type Paise } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { type LateRule, lateFeeOn } from '../queries.ts'
import { seasonEdges } from '../rules.ts'
import { seasonRow } from '../seasons/queries.ts'

interface LateFee {
  FYear: Season
  events: readonly { eventYearId: number; version: number }[]
  /** '' and 0: no late fee */
  lateFrom: string
  lateFee: number
}

interface Event {
  id: number
  version: number
  closes_on: string
  late_from: string | null
  late_fee: number
  heads: number
}

async function lockEvents(tx: Tx, { FYear, events }: LateFee): Promise<Event[]> {
  const ids = events.map(({ eventYearId }) => eventYearId)
  const { rows } = await sql<Event>`
    select e.id, e.version, e.closes_on, e.late_from, e.late_fee, (
      select count(*)::int from enrolments n join students st on st.id = n.student_id
      where n.event_id = e.id and st.active) as heads
    from events e where e.id = any(${ids}::bigint[]) and e.season = ${FYear} and e.level = 1
    order by e.id for update of e`.execute(tx)
  const seen = new Map(events.map(({ eventYearId, version }) => [eventYearId, version]))
  if (rows.length !== seen.size) throw new Refusal('not_found')
  if (rows.some(({ id, version }) => seen.get(id) !== version)) throw new Refusal('changed_meanwhile')
  return rows
}

const ruleOf = ({ late_from, late_fee }: Event): LateRule | null =>
  late_from === null ? null : { from: late_from, fee: late_fee as Paise }

/**
 * Sets, changes or ends the late fee of events, in the transaction of the caller. No entry is touched: each keeps what it
 * was saved with. Refuses a day outside the season or after an event's entries close, and of a season that schools have
 * seen whatever would make an entry dearer today: schools are told before. `changed_meanwhile`, `not_found`.
 */
export async function saveLateFee(tx: Tx, scope: OfficeScope, now: Date, save: LateFee): Promise<void> {
  const season = await seasonRow(tx, save.FYear).executeTakeFirst()
  if (!season) throw new Refusal('not_found')
  const events = await lockEvents(tx, save)
  const { lateFrom } = save
  const fee = fromRupees(save.lateFee)
  const rule = lateFrom === '' ? null : { from: lateFrom, fee }
  const { first, last } = seasonEdges(save.FYear)
  if (rule && (lateFrom < first || lateFrom > last))
    throw refuseField('lateFrom', catalogueMessages.dayOutsideSeason)
  if (rule && events.some(({ closes_on }) => lateFrom > closes_on))
    throw refuseField('lateFrom', catalogueMessages.lateAfterClose)
  const today = istDay(now)
  const dearer = (event: Event) => lateFeeOn(rule, today) > lateFeeOn(ruleOf(event), today)
  if (season.state !== 'preparing' && events.some(dearer))
    throw refuseField('lateFrom', catalogueMessages.lateUntold)
  const changed = events.filter((event) => (event.late_from ?? '') !== lateFrom || event.late_fee !== fee)
  for (const { id, version, late_from, late_fee, heads } of changed) {
    await tx
      .updateTable('events')
      .set({ late_from: rule?.from ?? null, late_fee: fee, version: version + 1 })
      .where('id', '=', id)
      .execute()
    await audit(
      tx,
      now,
      scope,
      'event.late_fee_changed',
      { kind: 'event_terms', id, season: save.FYear },
      {
        from: { lateFrom: late_from, lateFee: late_fee },
        to: { lateFrom: rule?.from ?? null, lateFee: fee },
        kept_at_old_price: heads,
      },
    )
  }
}
