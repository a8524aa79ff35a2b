import type { OpeningDecision, PlannedEvent } from '@podium/contract/catalogue/calls-seasons'
import { paise, rupees } from '@podium/contract/money'
import { type Season, seasonOfYear, seasonYear } from '@podium/contract/season'
import { shareRule } from '@podium/contract/students/rules-fee'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { isKept } from '#features/office/overview/queries-cached'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import { seenMark } from '#platform/seen'
import { entered } from '../events/queries-entered.ts'
import { aYearLater, classSpan, seasonEdges } from '../rules.ts'
import { seasonRow } from './queries.ts'

interface Row {
  id: number
  letter: string
  name: string
  level: number
  mode: 'Online' | 'Offline'
  closesOn: string
  firstDate: string | null
  secondDate: string | null
  maximumMarks: number
  sections: number
  rulesVersion: number
  version: number
  classIds: number[] | null
  feeFrom: number | null
  feeTo: number | null
  bookPrices: number
  fees: string
  lateFrom: string | null
  lateFee: number
  students: number
}

/** The events of a season in the order of the subjects, with what is taken over of each. */
async function eventsOf(db: Db | Tx, season: Season) {
  const { rows } = await sql<Row>`
    select e.id, e.letter, sub.name, e.level, e.mode, e.closes_on as "closesOn", e.maximum_marks as "maximumMarks",
      jsonb_array_length(e.sections) as sections, e.rules_version as "rulesVersion", e.version,
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate",
      f.ids as "classIds", f.lowest as "feeFrom", f.highest as "feeTo", coalesce(f.books, 0) as "bookPrices",
      coalesce(f.fees, '') as fees, e.late_from as "lateFrom", e.late_fee as "lateFee",
      ${entered(await isKept(db, season))} as students
    from events e join subjects sub on sub.letter = e.letter
      left join lateral (
        select array_agg(class_id) as ids, min(fee) as lowest, max(fee) as highest,
          sum(num_nonnulls(cb, pyqp, genex, tb, wb))::int as books, md5(string_agg(x::text, ';' order by class_id)) as fees
        from event_fees x where x.event_id = e.id) f on true
    where e.season = ${season} order by e.level, sub.position, e.letter`.execute(db)
  return rows
}

/** The holidays that are switched on within a season. */
export async function holidaysIn(db: Db | Tx, season: Season) {
  const { first, last } = seasonEdges(season)
  const { rows } = await sql<{ day: string; name: string }>`
    select held_on as day, name from holidays where active and held_on between ${first}::date and ${last}::date
    order by held_on`.execute(db)
  return rows
}

const moved = (day: string | null) => (day === null ? null : { from: day, to: aYearLater(day) })
const inRupees = (amount: number | null) => (amount === null ? null : rupees(paise(amount)))

function lateOf({ lateFrom, lateFee, closesOn }: Row): PlannedEvent['late'] {
  if (lateFrom === null || lateFrom > closesOn) return null
  return { from: { from: lateFrom, to: aYearLater(lateFrom) }, fee: rupees(paise(lateFee)) }
}

function plannedOf(row: Row): PlannedEvent {
  return {
    eventLetter: row.letter,
    subjectName: row.name,
    examLevel: row.level,
    examMode: row.mode,
    closesOn: { from: row.closesOn, to: aYearLater(row.closesOn) },
    firstDate: moved(row.firstDate),
    secondDate: moved(row.secondDate),
    maximumMarks: row.maximumMarks,
    sections: row.sections,
    classes: classSpan(row.classIds ?? []),
    feeFrom: inRupees(row.feeFrom),
    feeTo: inRupees(row.feeTo),
    bookPrices: row.bookPrices,
    late: lateOf(row),
    rulesVersion: row.rulesVersion,
    students: row.students,
  }
}

function decisionsOf(event: PlannedEvent, holidays: ReadonlyMap<string, string>): OpeningDecision[] {
  const { eventLetter, examLevel } = event
  const say = (kind: OpeningDecision['kind'], day = '', name = '') => ({
    kind,
    eventLetter,
    examLevel,
    day,
    name,
  })
  const found: OpeningDecision[] = []
  if (event.examMode === 'Offline' && !(event.firstDate && event.secondDate)) found.push(say('noDates'))
  if (event.feeFrom === null) found.push(say('noPrices'))
  if (event.students === 0) found.push(say('noStudents'))
  for (const day of [event.firstDate?.to, event.secondDate?.to]) {
    if (day === undefined || event.examMode === 'Online') continue
    const holiday = holidays.get(day)
    if (holiday !== undefined) found.push(say('holiday', day, holiday))
  }
  return found
}

/** What the plan was made from, in short: as long as it is the same, the difference that was shown holds. */
function tokenOf(season: { version: number; share_rule: unknown }, rows: readonly Row[]): string {
  const facts = rows.map(({ id, version, rulesVersion, fees }) => [id, version, rulesVersion, fees])
  return seenMark([season.version, season.share_rule, facts])
}

/** What the season after `from` would take over, where each day comes to lie, and what is to be decided. */
export async function openingPlan(db: Db | Tx, _scope: OfficeScope, from: Season) {
  const season = found(await seasonRow(db, from).executeTakeFirst())
  const label = seasonOfYear(seasonYear(from) + 1)
  const rows = await eventsOf(db, from)
  const holidays = await holidaysIn(db, label)
  const named = new Map(holidays.map(({ day, name }) => [day, name]))
  const events = rows.map(plannedOf)
  const none: OpeningDecision[] =
    holidays.length > 0 ? [] : [{ kind: 'noHolidays', eventLetter: '', examLevel: 1, day: '', name: '' }]
  return {
    FYear: label,
    from,
    token: tokenOf(season, rows),
    feeDueOn: { from: season.fee_due_on, to: aYearLater(season.fee_due_on) },
    resultsFrom: { from: season.results_from, to: aYearLater(season.results_from) },
    dateChoiceDays: season.date_choice_days,
    share: z.parse(shareRule, season.share_rule),
    events,
    decisions: [...none, ...events.flatMap((event) => decisionsOf(event, named))],
    holidays,
  }
}
