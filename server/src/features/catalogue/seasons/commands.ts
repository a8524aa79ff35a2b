import type { saveLateFee as saveLateFeeCall } from '@podium/contract/catalogue/calls-events'
import { type OpenedEvent, shareIssues } from '@podium/contract/catalogue/calls-seasons'
import { type ShareRule, shareRule } from '@podium/contract/catalogue/rules-fee'
import type { ParsedBody } from '@podium/contract/endpoint'
import { formatRupees, fromRupees, type Paise } from '@podium/contract/money'
import { officeMessages } from '@podium/contract/office/messages'
import { istDay, type Season, seasonOfYear, seasonYear } from '@podium/contract/season'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { notFound, Refusal, refuseField } from '#platform/errors'
import { type LateRule, lateFeeOn } from '../queries.ts'
import { dateIssues, seasonEdges, seasonIssues } from '../rules.ts'
import { incompleteEvents, nextSeason, openingPlan, seasonRow, yearOfSeason } from './queries.ts'

type LateFee = ParsedBody<typeof saveLateFeeCall>

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
 * Sets, changes or removes the late fee of events, in the caller's transaction. Existing entries keep their price. Refuses a
 * day outside the season or after entries close and, in a season visible to schools, any change that would raise a price
 * today, because schools must know in advance. `changed_meanwhile`, `not_found`.
 */
export async function saveLateFee(tx: Tx, scope: OfficeScope, now: Date, save: LateFee): Promise<void> {
  const season = await seasonRow(tx, save.FYear).executeTakeFirstOrThrow(notFound)
  const events = await lockEvents(tx, save)
  const { lateFrom } = save
  const fee = fromRupees(save.lateFee)
  const rule = lateFrom === '' ? null : { from: lateFrom, fee }
  const { first, last } = seasonEdges(save.FYear)
  if (rule && (lateFrom < first || lateFrom > last))
    throw refuseField('lateFrom', officeMessages.dayOutsideSeason)
  if (rule && events.some(({ closes_on }) => lateFrom > closes_on))
    throw refuseField('lateFrom', officeMessages.lateAfterClose)
  const today = istDay(now)
  const dearer = (event: Event) => lateFeeOn(rule, today) > lateFeeOn(ruleOf(event), today)
  if (season.state !== 'preparing' && events.some(dearer))
    throw refuseField('lateFrom', officeMessages.lateNotAnnounced)
  const changed = events.filter((event) => (event.late_from ?? '') !== lateFrom || event.late_fee !== fee)
  for (const { id, version, late_from, late_fee, heads } of changed) {
    await changeRows(tx, 'events', {
      where: { id },
      set: { late_from: rule?.from ?? null, late_fee: fee, version: version + 1 },
    })
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

interface SeasonValues {
  feeDueOn: string
  resultsFrom: string
  dateChoiceDays: number
  share: ShareRule
}

interface SeasonOpening extends SeasonValues {
  from: Season
  /** Token of the plan that was shown */
  token: string
  events: readonly OpenedEvent[]
}

const nameOf = (event: { eventLetter: string; examLevel: number }) =>
  `${event.eventLetter} ${event.examLevel}`

function check(label: Season, opening: SeasonOpening, known: ReadonlySet<string>): void {
  const issues = [...seasonIssues(label, opening), ...shareIssues(opening.share)]
  if (opening.events.length === 0) issues.push({ path: 'events', message: officeMessages.eventsRequired })
  const seen = new Set<string>()
  opening.events.forEach((event, index) => {
    issues.push(...dateIssues(label, event, `events.${index}.`))
    // An event that the last season did not have can't be copied.
    if (!known.has(nameOf(event)) || seen.has(nameOf(event))) throw new Refusal('not_found')
    seen.add(nameOf(event))
  })
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
}

/** Copies one event of the last season with the decided dates and the same sections, rules and prices. */
async function takeOver(tx: Tx, label: Season, from: Season, event: OpenedEvent): Promise<void> {
  const change = fromRupees(event.feeChange)
  const { rows } = await sql<{ id: number; old: number }>`
    insert into events (season, letter, level, mode, closes_on, maximum_marks, sections, rules, late_from, late_fee)
    select ${label}, letter, level, ${event.examMode}, ${event.closesOn}::date, maximum_marks, sections, rules,
      case when late_from + 364 <= ${event.closesOn}::date then late_from + 364 end,
      case when late_from + 364 <= ${event.closesOn}::date then late_fee else 0 end
    from events where season = ${from} and letter = ${event.eventLetter} and level = ${event.examLevel}
    returning id, (select e.id from events e
      where e.season = ${from} and e.letter = ${event.eventLetter} and e.level = ${event.examLevel})
      as old`.execute(tx)
  const made = rows[0]
  if (!made) throw new Refusal('not_found')
  const { rows: fees } = await sql<{ fee: number }>`
    insert into event_fees (event_id, class_id, fee, retained, cb, pyqp, genex, tb, wb, book_retained)
    select ${made.id}, class_id, fee + ${change}::int, least(retained, greatest(fee + ${change}::int, 0)), cb, pyqp, genex, tb, wb,
      book_retained from event_fees where event_id = ${made.old} returning fee`.execute(tx)
  if (fees.some(({ fee }) => fee < 0)) throw refuseField('events', officeMessages.amountRequired)
  const days = [event.firstDate, event.secondDate].filter((day) => day !== '')
  if (days.length === 0) return
  await tx
    .insertInto('exam_dates')
    .values(days.map((held_on, index) => ({ event_id: made.id, ordinal: index + 1, held_on })))
    .execute()
}

/**
 * Creates the season after `from` from it, in the caller's transaction and in preparation, so schools do not see it yet.
 * Refuses an existing season (`catalogue.season_exists`), one that is not the next, a last season that has changed since
 * the plan was shown, and inconsistent days.
 */
export async function openSeason(tx: Tx, scope: OfficeScope, now: Date, opening: SeasonOpening) {
  const label = seasonOfYear(seasonYear(opening.from) + 1)
  const seasons = await tx.selectFrom('seasons').select('label').orderBy('label').forUpdate().execute()
  const labels = seasons.map((season) => season.label)
  if (labels.includes(label)) throw new Refusal('catalogue.season_exists')
  if (nextSeason(labels, now)?.from !== opening.from) throw new Refusal('catalogue.not_next')
  const plan = await openingPlan(tx, scope, opening.from)
  if (plan.token !== opening.token) throw new Refusal('catalogue.plan_changed')
  check(label, opening, new Set(plan.events.map(nameOf)))
  if (!(await insertSeason(tx, label, now, opening))) throw new Refusal('catalogue.season_exists')
  for (const event of opening.events) await takeOver(tx, label, opening.from, event)
  const { from, token: _, events, ...values } = opening
  const left = plan.events.map(nameOf).filter((name) => !events.some((event) => nameOf(event) === name))
  await audit(
    tx,
    now,
    scope,
    'season.made',
    { kind: 'season', id: label, season: label },
    { to: { state: 'preparing', ...values }, from_season: from, events: events.map(nameOf), left_out: left },
  )
  return { FYear: label, events: events.length }
}

/**
 * Creates the first season of an installation, in preparation and without events, in the caller's transaction. Refuses if
 * there is a season already (`catalogue.season_exists`), a season that is neither the current nor the next, and inconsistent
 * days.
 */
export async function makeFirstSeason(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { FYear: label, ...values }: SeasonValues & { FYear: Season },
): Promise<void> {
  const year = yearOfSeason(now)
  const issues = [...seasonIssues(label, values), ...shareIssues(values.share)]
  if (![year, year + 1].includes(seasonYear(label)))
    issues.push({ path: 'FYear', message: officeMessages.firstSeason })
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  // Of two concurrent calls the second waits and finds the first one's season.
  await sql`lock table seasons in share row exclusive mode`.execute(tx)
  if (await tx.selectFrom('seasons').select('label').executeTakeFirst())
    throw new Refusal('catalogue.season_exists')
  await insertSeason(tx, label, now, values)
  const subject = { kind: 'season', id: label, season: label }
  await audit(tx, now, scope, 'season.made', subject, { to: { state: 'preparing', ...values } })
}

/** Inserts a season in preparation; undefined if it exists. */
function insertSeason(tx: Tx, label: Season, now: Date, values: SeasonValues) {
  return tx
    .insertInto('seasons')
    .values({
      label,
      state: 'preparing',
      share_rule: JSON.stringify(values.share),
      fee_due_on: values.feeDueOn,
      results_from: values.resultsFrom,
      date_choice_days: values.dateChoiceDays,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('label')
    .executeTakeFirst()
}

/** A share rule as shown in the history: `perHead`, `15%`, `1: ₹20, 50: ₹25`. */
function shareText(share: ShareRule): string {
  if (share.kind === 'perHead') return share.kind
  if (share.kind === 'percent') return `${share.percent}%`
  return share.slabs.map(({ from, share: amount }) => `${from}: ${formatRupees(amount)}`).join(', ')
}

interface SeasonVersion {
  FYear: Season
  version: number
}

async function lockSeason(tx: Tx, { FYear, version }: SeasonVersion) {
  const season = await seasonRow(tx, FYear).forUpdate().executeTakeFirstOrThrow(notFound)
  if (season.version !== version) throw new Refusal('changed_meanwhile')
  return season
}

/**
 * Changes a season's days and share rule. Existing enrolments keep their share. Refuses days outside the season, slabs with a
 * gap, `changed_meanwhile`, `not_found`.
 */
export async function saveSeason(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  save: SeasonVersion & SeasonValues,
): Promise<void> {
  const before = await lockSeason(tx, save)
  const issues = [...seasonIssues(save.FYear, save), ...shareIssues(save.share)]
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const from = {
    feeDueOn: before.fee_due_on,
    resultsFrom: before.results_from,
    dateChoiceDays: before.date_choice_days,
    share: before.share_rule,
  }
  const { FYear, version, feeDueOn, resultsFrom, dateChoiceDays, share } = save
  const to = { feeDueOn, resultsFrom, dateChoiceDays, share }
  if (JSON.stringify(from) === JSON.stringify(to)) return
  await changeRows(tx, 'seasons', {
    where: { label: FYear },
    set: {
      fee_due_on: feeDueOn,
      results_from: resultsFrom,
      date_choice_days: dateChoiceDays,
      share_rule: JSON.stringify(share),
      ...(JSON.stringify(from.share) === JSON.stringify(share) ? {} : { share_since: now }),
      version: version + 1,
    },
  })
  await audit(
    tx,
    now,
    scope,
    'season.changed',
    { kind: 'season', id: FYear, season: FYear },
    {
      from: { ...from, share: shareText(z.parse(shareRule, from.share)) },
      to: { ...to, share: shareText(share) },
    },
  )
}

/**
 * Opens a season for schools, or closes it. Refuses its current state, a season with an event that schools could not enter
 * (`catalogue.season_incomplete`), `changed_meanwhile`, `not_found`.
 */
export async function setSeasonState(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { state, ...which }: SeasonVersion & { state: 'open' | 'closed' },
): Promise<void> {
  const before = await lockSeason(tx, which)
  const allowed = state === 'open' ? before.state !== 'open' : before.state === 'open'
  if (!allowed) throw new Refusal('catalogue.season_state')
  if (state === 'open') {
    const { rows } = await sql<{ incomplete: number; events: number }>`
      select ${incompleteEvents(which.FYear)} as incomplete,
        (select count(*)::int from events where season = ${which.FYear}) as events`.execute(tx)
    if (rows[0]?.incomplete !== 0 || rows[0].events === 0) throw new Refusal('catalogue.season_incomplete')
  }
  await changeRows(tx, 'seasons', {
    where: { label: which.FYear },
    set: { state, version: which.version + 1 },
  })
  const subject = { kind: 'season', id: which.FYear, season: which.FYear }
  await audit(tx, now, scope, state === 'open' ? 'season.opened' : 'season.closed', subject, {
    from: { state: before.state },
    to: { state },
  })
}

/**
 * Deletes a season that was never opened, with its events, days, prices and rules. Refuses other states, a season in use
 * (`catalogue.season_used`), `changed_meanwhile`, `not_found`.
 */
export async function deleteSeason(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  which: SeasonVersion,
): Promise<void> {
  const { state } = await lockSeason(tx, which)
  if (state !== 'preparing') throw new Refusal('catalogue.season_state')
  const label = which.FYear
  const { rows: events } = await sql<{ id: number; name: string }>`
    select id, letter || ' ' || level as name from events where season = ${label}
    order by id for update`.execute(tx)
  const ids = sql`(select id from events where season = ${label})`
  await sql`delete from exam_dates where event_id in ${ids}`.execute(tx)
  await sql`delete from event_fees where event_id in ${ids}`.execute(tx)
  await sql`delete from event_rules where event_id in ${ids}`.execute(tx)
  await sql`delete from season_figures where season = ${label}`.execute(tx)
  await refuseWhereNamed(async () => {
    await sql`delete from events where season = ${label}`.execute(tx)
    await sql`delete from seasons where label = ${label}`.execute(tx)
  })
  await audit(
    tx,
    now,
    scope,
    'season.deleted',
    { kind: 'season', id: label, season: label },
    { from: { state }, events: events.map(({ name }) => name) },
  )
}

/**
 * Foreign keys from students, payments, parcels and so on decide whether a season is in use. Contacts, questions and figures
 * only store the label and stay; if the season is created again, they belong to it.
 */
async function refuseWhereNamed(remove: () => Promise<void>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23503')
      throw new Refusal('catalogue.season_used')
    throw error
  }
}
