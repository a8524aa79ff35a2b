import type { LateFeeNotification } from '@podium/contract/catalogue/calls-events'
import {
  type OfficeSeason,
  type OpeningDecision,
  type PlannedEvent,
  payable,
} from '@podium/contract/catalogue/calls-seasons'
import { shareRule } from '@podium/contract/catalogue/rules-fee'
import { classSpan } from '@podium/contract/classes'
import { rupeesOf, rupeesOrNull } from '@podium/contract/money'
import type { FirstSteps } from '@podium/contract/office/calls-overview'
import { istDay, parseSeason, type Season, seasonOfYear, seasonYear } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, Tx } from '#platform/db/database'
import { notFound } from '#platform/errors'
import { fingerprint } from '#platform/http/idempotency'
import { aYearLater, seasonEdges } from '../rules.ts'

/** Late fees of events open for entries, grouped by day and amount; empty unless the season is open. */
export async function lateFeesOf(db: Db, season: Season, now: Date): Promise<LateFeeNotification[]> {
  const today = istDay(now)
  const { rows } = await sql<{ from: string; fee: number; subjects: string[]; all: boolean }>`
    with enterable as (
      select e.letter, e.late_from, e.late_fee, e.closes_on from events e join seasons s on s.label = e.season
      where s.label = ${season} and s.state = 'open' and e.level = 1 and e.closes_on >= ${today}::date
    )
    select o.late_from as "from", o.late_fee as fee, array_agg(sub.name order by sub.position) as subjects,
      count(*) = (select count(*) from enterable) as "all"
    from enterable o join subjects sub on sub.letter = o.letter
    where o.late_from <= o.closes_on
    group by o.late_from, o.late_fee order by o.late_from, o.late_fee`.execute(db)
  return rows.map(({ from, fee, subjects, all }) => ({
    from,
    fee: rupeesOf(fee),
    subjects,
    inForce: from <= today,
    all,
  }))
}

/**
 * SQL: the active students of a season's events (`event_id`, `students`), as last counted if the season is large. An
 * event that nobody has entered may be missing.
 */
export const studentsByEvent = async (db: ReadDb, season: Season) =>
  (await usesCachedSums(db, season))
    ? sql`(select event_id, students from event_figures where class_id = 0)`
    : sql`(select n.event_id, count(*)::int as students from enrolments n join students st on st.id = n.student_id
        where st.season = ${season} and st.active group by n.event_id)`

/**
 * From this many students on, sums over a whole season (amounts due, students of an olympiad) come from the overview's last
 * count, at most minutes old: counting for each page took seconds with a million students.
 */
export const largeSeason = 100_000

/** SQL: seasons large enough for stored sums. */
export const cachedSeasons = sql`(
  select k.season from season_figures k where (k.figures->>'students')::int > ${largeSeason}::int)`

/** Whether a season uses stored sums. */
export async function usesCachedSums(db: ReadDb, season: Season): Promise<boolean> {
  const { rows } = await sql`select from ${cachedSeasons} k where k.season = ${season}`.execute(db)
  return rows.length > 0
}

/** What a role may do here: true, or the error code of the reason why not. */
export function allowances(scope: OfficeScope) {
  const may = (permission: 'catalogue.write' | 'catalogue.rules') =>
    mayDo(scope.role, permission) ? (true as const) : 'access.denied'
  return { write: may('catalogue.write'), rules: may('catalogue.rules') }
}

/** SQL: level 1 events that schools could not enter: without prices, or offline without two dates. */
export const incompleteEvents = (season: Season | RawBuilder<unknown>) => sql`(
  select count(*)::int from events e where e.season = ${season} and e.level = 1 and (
    not exists (select from event_fees f where f.event_id = e.id)
    or e.mode = 'Offline' and (select count(*) from exam_dates d where d.event_id = e.id) < 2))`

/** All seasons, newest first, with their contents; large ones as last counted. */
export async function officeSeasons(db: Db, _scope: OfficeScope): Promise<OfficeSeason[]> {
  const { rows } = await sql<
    Omit<OfficeSeason, 'share' | keyof Sums> & { share: unknown; cachedSums: Sums | null }
  >`
    select s.label as "FYear", s.state, s.version, s.fee_due_on as "feeDueOn", s.results_from as "resultsFrom",
      s.date_choice_days as "dateChoiceDays", s.share_rule as share,
      (select count(*)::int from events e where e.season = s.label) as events,
      ${incompleteEvents(sql`s.label`)} as incomplete, (
        select jsonb_build_object('students', k.figures->'students', 'paid', k.figures->'paid',
          'schools', k.figures->'entered', 'enrolments', k.figures->'entries')
        from season_figures k where k.season = s.label and k.season in ${cachedSeasons}) as "cachedSums"
    from seasons s order by s.label desc`.execute(db)
  const seasons = []
  for (const row of rows) {
    const { cachedSums, share, ...season } = row
    const sums = cachedSums ?? (await sumsOf(db, season.FYear))
    seasons.push({ ...season, ...sums, share: z.parse(shareRule, share) })
  }
  return seasons
}

type Sums = Pick<OfficeSeason, 'students' | 'paid' | 'schools' | 'enrolments'>

async function sumsOf(db: Db, season: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select count(*)::int as students, count(*) filter (where paid)::int as paid, count(distinct school_id)::int as schools,
      coalesce(sum(case when letters = '' then 0 else 1 + length(letters) - length(replace(letters, ',', '')) end), 0)::int as enrolments
    from students where season = ${season} and active`.execute(db)
  return rows[0] ?? { students: 0, paid: 0, schools: 0, enrolments: 0 }
}

/** The year in which the current season began. */
export const yearOfSeason = (now: Date): number =>
  Number(istDay(now).slice(0, 4)) - (istDay(now).slice(5) < '04-01' ? 1 : 0)

/**
 * The season that can be created next: the one after the newest, but at most the one after the current; for a new
 * installation, the current season. Null if it exists already.
 */
export function nextSeason(
  labels: readonly string[],
  now: Date,
): { FYear: Season; from: Season | null } | null {
  const known = labels.map((label) => parseSeason(label)).filter((label) => label !== undefined)
  const thisYear = yearOfSeason(now)
  if (labels.length === 0) return { FYear: seasonOfYear(thisYear), from: null }
  const newest = known
    .filter((label) => seasonYear(label) <= thisYear + 1)
    .toSorted()
    .at(-1)
  if (!newest || seasonYear(newest) > thisYear) return null
  return { FYear: seasonOfYear(seasonYear(newest) + 1), from: newest }
}

/** Fees that schools could not pay, because no bank account for them is entered or proposed. */
export async function withoutAccount(db: Db) {
  const { rows } = await sql<{ purpose: string }>`
    select purpose from bank_accounts where stopped_at is null
    union select purpose from bank_account_changes where state = 'proposed'`.execute(db)
  return payable.filter((purpose) => !rows.some((row) => row.purpose === purpose))
}

/** Progress of a new office's first steps; null for roles that may not take them, and once they are done. */
export async function firstStepsOf(db: ReadDb, scope: OfficeScope): Promise<FirstSteps | null> {
  if (!mayDo(scope.role, 'catalogue.write')) return null
  const { rows } = await sql<FirstSteps & { payable: boolean }>`
    with account (purpose) as (select purpose from bank_accounts where stopped_at is null)
    select exists (select from seasons) as season,
      exists (select from seasons s where s.state <> 'closed' and ${incompleteEvents(sql`s.label`)} = 0
        and exists (select from events e where e.season = s.label)) as events,
      (select count(*) from staff where disabled_at is null) > 1 as people,
      (select count(distinct purpose) from (
        table account union select purpose from bank_account_changes where state = 'proposed') x) > 1 as accounts,
      exists (select from seasons where state = 'open') as open,
      exists (select from schools) as schools,
      exists (table account) as payable`.execute(db)
  const [found] = rows
  if (!found) return null
  const { payable, ...steps } = found
  return payable && steps.open && steps.schools ? null : steps
}

/** Query for the row of a season to be changed. */
export function seasonRow(db: Db | Tx, label: Season) {
  return db
    .selectFrom('seasons')
    .select(['label', 'state', 'share_rule', 'fee_due_on', 'results_from', 'version', 'date_choice_days'])
    .where('label', '=', label)
}

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

/** The events of a season by subject, with what a copy would take over. */
async function eventsOf(db: Db | Tx, season: Season) {
  const { rows } = await sql<Row>`
    select e.id, e.letter, sub.name, e.level, e.mode, e.closes_on as "closesOn", e.maximum_marks as "maximumMarks",
      jsonb_array_length(e.sections) as sections, e.rules_version as "rulesVersion", e.version,
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate",
      f.ids as "classIds", f.lowest as "feeFrom", f.highest as "feeTo", coalesce(f.books, 0) as "bookPrices",
      coalesce(f.fees, '') as fees, e.late_from as "lateFrom", e.late_fee as "lateFee",
      coalesce(h.students, 0) as students
    from events e join subjects sub on sub.letter = e.letter
      left join ${await studentsByEvent(db, season)} h on h.event_id = e.id
      left join lateral (
        select array_agg(class_id) as ids, min(fee) as lowest, max(fee) as highest,
          sum(num_nonnulls(cb, pyqp, genex, tb, wb))::int as books, md5(string_agg(x::text, ';' order by class_id)) as fees
        from event_fees x where x.event_id = e.id) f on true
    where e.season = ${season} order by e.level, sub.position, e.letter`.execute(db)
  return rows
}

/** The active holidays within a season. */
export async function holidaysIn(db: Db | Tx, season: Season) {
  const { first, last } = seasonEdges(season)
  const { rows } = await sql<{ day: string; name: string }>`
    select held_on as day, name from holidays where active and held_on between ${first}::date and ${last}::date
    order by held_on`.execute(db)
  return rows
}

const moved = (day: string | null) => (day === null ? null : { from: day, to: aYearLater(day) })
function lateOf({ lateFrom, lateFee, closesOn }: Row): PlannedEvent['late'] {
  if (lateFrom === null || lateFrom > closesOn) return null
  return { from: { from: lateFrom, to: aYearLater(lateFrom) }, fee: rupeesOf(lateFee) }
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
    feeFrom: rupeesOrNull(row.feeFrom),
    feeTo: rupeesOrNull(row.feeTo),
    bookPrices: row.bookPrices,
    late: lateOf(row),
    rulesVersion: row.rulesVersion,
    students: row.students,
  }
}

function decisionsOf(event: PlannedEvent, holidays: ReadonlyMap<string, string>): OpeningDecision[] {
  const { eventLetter, examLevel } = event
  const decision = (kind: OpeningDecision['kind'], day = '', name = '') => ({
    kind,
    eventLetter,
    examLevel,
    day,
    name,
  })
  const found: OpeningDecision[] = []
  if (event.examMode === 'Offline' && !(event.firstDate && event.secondDate)) found.push(decision('noDates'))
  if (event.feeFrom === null) found.push(decision('noPrices'))
  if (event.students === 0) found.push(decision('noStudents'))
  for (const day of [event.firstDate?.to, event.secondDate?.to]) {
    if (day === undefined || event.examMode === 'Online') continue
    const holiday = holidays.get(day)
    if (holiday !== undefined) found.push(decision('holiday', day, holiday))
  }
  return found
}

/** A digest of what the plan was made from: while it is the same, the plan shown is still valid. */
function tokenOf(season: { version: number; share_rule: unknown }, rows: readonly Row[]): string {
  const facts = rows.map(({ id, version, rulesVersion, fees }) => [id, version, rulesVersion, fees])
  return fingerprint([season.version, season.share_rule, facts])
}

/** The plan for the season after `from`: what is copied, the shifted dates, and what must be decided. */
export async function openingPlan(db: Db | Tx, _scope: OfficeScope, from: Season) {
  const season = await seasonRow(db, from).executeTakeFirstOrThrow(notFound)
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
