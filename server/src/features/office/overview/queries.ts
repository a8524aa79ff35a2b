import { rupeesOf } from '@podium/contract/money'
import type {
  NextStepKind,
  ReminderRow,
  SeasonalWaiting,
  SeasonFigures,
} from '@podium/contract/office/calls-overview'
import { daysBetween, istDay, type Season, seasonOfYear } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { firstStepsOf } from '#features/catalogue/seasons/queries'
import { type ReminderQuery, stepFilter } from '#features/schools/mailings/queries'
import { followUpDue } from '#features/schools/notes/queries'
import { duesBySchool, owed as owedBySchool, owedForStudents } from '#features/schools/register/queries'
import { daysToDecide } from '#features/staff/queries'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx, Tx } from '#platform/db/database'
import { pageOf } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'

/** SQL: open data requests. */
/** Refunds to be approved, or approved and to be paid */
const unsettled = sql`state in ('proposed', 'approved')`
const isOpen = sql`state in ('asked', 'checked', 'working')`

/** Counts that belong to no season. */
const countsAt = (now: Date) =>
  ({
    applications: [
      'schools.read',
      sql`select count(*) from applications where state_of_review = 'submitted'`,
    ],
    contacts: ['schools.read', sql`select count(*) from contacts where confirmed_at is null and active`],
    refunds: ['payments.read', sql`select count(*) from refunds where ${unsettled}`],
    accounts: ['payments.read', sql`select count(*) from bank_account_changes where state = 'proposed'`],
    requests: ['privacy.read', sql`select count(*) from data_requests where ${isOpen}`],
    mails: ['mails.read', sql`select count(*) from outbox where failed_at is not null`],
    incidents: ['incidents.read', sql`select count(*) from incidents where state = 'open'`],
    followUps: [
      'schools.read',
      sql`select count(distinct n.school_id) from school_notes n where ${followUpDue(now)}`,
    ],
  }) as const satisfies Record<string, readonly [Permission, ReturnType<typeof sql>]>

/** Open work by the year in which its season begins; closed seasons can have open work too. */
const seasonal = {
  payments: [
    'payments.read',
    sql`select left(season, 4)::int as year, count(*) as n from payments where state = 'pending' group by year`,
  ],
  bankLines: [
    'payments.read',
    sql`select extract(year from day - interval '3 months')::int as year, count(*) as n
      from (${daysToDecide}) l group by year`,
  ],
  packets: [
    'dispatch.read',
    sql`select left(season, 4)::int as year, count(distinct school_id) as n from dispatch_sums where due > 0 group by year`,
  ],
  waivers: [
    'payments.read',
    sql`select left(season, 4)::int as year, count(*) as n from waivers where state = 'asked' group by year`,
  ],
  questions: [
    'schools.read',
    sql`select left(season, 4)::int as year, count(*) as n from teacher_questions where state = 'sent' group by year`,
  ],
  results: [
    'results.read',
    sql`select left(e.season, 4)::int as year, count(*) as n
      from result_sets s join events e on e.id = s.event_id where s.state = 'computed' group by year`,
  ],
  nextLevel: [
    'results.read',
    sql`select left(season, 4)::int as year, count(*) as n
      from next_level_rounds where approved_at is null group by year`,
  ],
} as const satisfies Record<string, readonly [Permission, ReturnType<typeof sql>]>

/** The time of the oldest item of each kind; parcels are counted by school and have none. */
const sinceAt = (now: Date) =>
  ({
    applications: sql`select min(submitted_at) from applications where state_of_review = 'submitted'`,
    contacts: sql`select min(created_at) from contacts where confirmed_at is null and active`,
    refunds: sql`select min(proposed_at) from refunds where ${unsettled}`,
    accounts: sql`select min(proposed_at) from bank_account_changes where state = 'proposed'`,
    requests: sql`select min(asked_at) from data_requests where ${isOpen}`,
    nextLevel: sql`select min(made_at) from next_level_rounds where approved_at is null`,
    mails: sql`select min(failed_at) from outbox where failed_at is not null`,
    followUps: sql`select min(n.follow_up)::timestamp at time zone 'Asia/Kolkata' from school_notes n where ${followUpDue(now)}`,
    incidents: sql`select min(opened_at) from incidents where state = 'open'`,
    payments: sql`select min(submitted_at) from payments where state = 'pending'`,
    bankLines: sql`select min(day)::timestamp at time zone 'Asia/Kolkata' from (${daysToDecide}) l`,
    waivers: sql`select min(asked_at) from waivers where state = 'asked'`,
    questions: sql`select min(created_at) from teacher_questions where state = 'sent'`,
    results: sql`select min(computed_at) from result_sets where state = 'computed'`,
  }) as const satisfies Partial<Record<Kind | SeasonalKind, ReturnType<typeof sql>>>

type Kind = keyof ReturnType<typeof countsAt>
type SeasonalKind = keyof typeof seasonal

/** The amount of open work of each kind; null if the role may not read it. */
export async function waitingFor(db: ReadDb, scope: OfficeScope, now: Date) {
  const counts = countsAt(now)
  const sources: Readonly<Record<string, readonly [Permission, unknown]>> = { ...counts, ...seasonal }
  const reads = (permission: Permission) => mayDo(scope.role, permission)
  const columns = Object.entries(counts).map(([kind, [permission, count]]) =>
    reads(permission) ? sql`(${count}) as ${sql.ref(kind)}` : sql`null::bigint as ${sql.ref(kind)}`,
  )
  const inSeasons = Object.entries(seasonal).flatMap(([kind, [permission, count]]) =>
    reads(permission) ? [sql`select ${kind}::text as kind, year, n from (${count}) x`] : [],
  )
  const known = Object.entries(sinceAt(now)).filter(([kind]) => sources[kind] && reads(sources[kind][0]))
  const { rows } = await sql<Record<Kind, number | null>>`select ${sql.join(columns)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('counts always have a row')
  const parts = inSeasons.length === 0 ? [] : await seasonsOf(db, inSeasons)
  const of = (kind: SeasonalKind): SeasonalWaiting[] | null =>
    reads(seasonal[kind][0])
      ? parts.filter((part) => part.kind === kind).map(({ year, n }) => ({ FYear: seasonOfYear(year), n }))
      : null
  return {
    ...found,
    oldest: await oldestOf(db, known),
    firstSteps: await firstStepsOf(db, scope),
    payments: of('payments'),
    bankLines: of('bankLines'),
    packets: of('packets'),
    waivers: of('waivers'),
    questions: of('questions'),
    results: of('results'),
    nextLevel: of('nextLevel'),
  }
}

async function oldestOf(db: ReadDb, known: readonly (readonly [string, ReturnType<typeof sql>])[]) {
  if (known.length === 0) return {}
  const columns = known.map(([kind, query]) => sql`(${query}) as ${sql.ref(kind)}`)
  const { rows } = await sql<Record<string, Date | null>>`select ${sql.join(columns)}`.execute(db)
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).flatMap(([kind, at]) => (at === null ? [] : [[kind, at.toISOString()]])),
  )
}

interface Part {
  kind: string
  year: number
  n: number
}

async function seasonsOf(db: ReadDb, inSeasons: readonly ReturnType<typeof sql>[]): Promise<Part[]> {
  const { rows } = await sql<Part>`${sql.join(inSeasons, sql` union all `)} order by year desc`.execute(db)
  return rows
}

/** A season's figures as stored; amounts in paise. */
type CachedFigures = {
  schools: number
  entered: number
  students: number
  paid: number
  entries: number
  received: number
  verifying: number
  outstanding: number
  /** Missing in counts of older versions */
  before?: SeasonFigures['before']
  days: Array<{ day: string; students: number; received: number }>
  states: Array<{ state: string; schools: number; students: number; paid: number }>
  subjects: Array<{ letter: string; name: string; students: number; paid: number }>
}

const shownDays = 30

/** Counts a whole season with five scans of its students, so only in a job. `today` is an IST day. */
export async function countSeason(tx: ReadTx, season: Season, today: string): Promise<CachedFigures> {
  const { rows } = await sql<Omit<CachedFigures, 'before' | 'days' | 'states' | 'subjects' | 'outstanding'>>`
    select (select count(*) from schools where active) as schools,
      count(distinct s.school_id) as entered, count(*) as students, count(*) filter (where s.paid) as paid,
      coalesce(sum(cardinality(string_to_array(s.letters, ','))), 0) as entries,
      (select coalesce(sum(p.payable), 0) from payments p where p.season = ${season} and p.state = 'verified') as received,
      (select coalesce(sum(p.payable), 0) from payments p where p.season = ${season} and p.state = 'pending') as verifying
    from students s where s.season = ${season} and s.active`.execute(tx)
  const [totals] = rows
  if (!totals) throw new Error('totals always have a row')
  const owed = await sql<{ due: number }>`
    select coalesce(sum(d.due), 0) as due from ${duesBySchool(season)} d`.execute(tx)
  return {
    ...totals,
    outstanding: owed.rows[0]?.due ?? 0,
    days: await countDays(tx, season, today),
    states: await countStates(tx, season),
    subjects: await countSubjects(tx, season),
  }
}

async function countDays(tx: ReadTx, season: Season, today: string) {
  const { rows } = await sql<CachedFigures['days'][number]>`
    with days as (
      select d::date as day from generate_series(${today}::date - ${shownDays - 1}::int, ${today}::date, interval '1 day') d
    ), entered as (
      select (s.created_at at time zone 'Asia/Kolkata')::date as day, count(*) as n from students s
      where s.season = ${season} and s.active
        and s.created_at >= (${today}::date - ${shownDays - 1}::int)::timestamp at time zone 'Asia/Kolkata'
      group by 1
    ), came as (
      select (p.decided_at at time zone 'Asia/Kolkata')::date as day, sum(p.payable) as amount from payments p
      where p.season = ${season} and p.state = 'verified' and p.receipt_no is not null
        and p.decided_at >= (${today}::date - ${shownDays - 1}::int)::timestamp at time zone 'Asia/Kolkata'
      group by 1
    )
    select days.day::text as day, coalesce(entered.n, 0) as students, coalesce(came.amount, 0) as received
    from days left join entered using (day) left join came using (day) order by days.day`.execute(tx)
  return rows
}

async function countStates(tx: ReadTx, season: Season) {
  const { rows } = await sql<CachedFigures['states'][number]>`
    select case when o.country = 'India' then o.state else o.country end as state,
      count(*) as schools, sum(h.students) as students, sum(h.paid) as paid
    from (
      select s.school_id, count(*) as students, count(*) filter (where s.paid) as paid
      from students s where s.season = ${season} and s.active group by s.school_id) h
      join schools o on o.id = h.school_id
    group by 1 order by 3 desc, 1`.execute(tx)
  return rows
}

async function countSubjects(tx: ReadTx, season: Season) {
  const { rows } = await sql<CachedFigures['subjects'][number]>`
    select sub.letter, sub.name, n.students, n.paid
    from (
      select x.letter, sum(x.students) as students, sum(x.paid) as paid
      from (
        select s.letters, count(*) as students, count(*) filter (where s.paid) as paid
        from students s where s.season = ${season} and s.active group by s.letters) g
        cross join lateral (select unnest(string_to_array(g.letters, ',')) as letter, g.students, g.paid) x
      group by x.letter) n
      join subjects sub on sub.letter = n.letter
    order by n.students desc, sub.position`.execute(tx)
  return rows
}

/** The last count of a season, with amounts for roles that may read payments; undefined before the first count. */
export async function lastFigures(db: Db, scope: OfficeScope, season: Season) {
  const row = await firstRow(db, 'season_figures', { season }, ['taken_at', 'figures'])
  if (!row) return undefined
  const figures = row.figures as CachedFigures
  const shown = shownFigures(scope, row.taken_at, figures)
  return { takenAt: row.taken_at, students: figures.students, shown }
}

function shownFigures(scope: OfficeScope, takenAt: Date, figures: CachedFigures): SeasonFigures {
  const { received, verifying, outstanding, before, days, ...rest } = figures
  const mayRead = mayDo(scope.role, 'payments.read')
  return {
    ...rest,
    before: before ? { ...before, received: mayRead ? rupeesOf(before.received) : 0 } : null,
    takenAt: takenAt.toISOString(),
    money: mayRead
      ? {
          due: rupeesOf(received + verifying + outstanding),
          received: rupeesOf(received),
          verifying: rupeesOf(verifying),
          outstanding: rupeesOf(outstanding),
        }
      : null,
    days: days.map((day) => ({ ...day, received: mayRead ? rupeesOf(day.received) : 0 })),
  }
}

const pageSize = 50
/** Days between two reminders to a school. */
export const daysBetweenReminders = 3

interface Row extends Omit<ReminderRow, 'daysLeft' | 'due' | 'lastReminder' | 'can'> {
  owed: number
  remindedAt: Date | null
  remindedBy: string | null
}

/** Schools by their next step as last counted, most urgent first. */
async function remindersBy(
  db: ReadDb,
  scope: OfficeScope,
  now: Date,
  query: ReminderQuery,
  window: RawBuilder<unknown>,
): Promise<ReminderRow[]> {
  const today = istDay(now)
  const { rows } = await sql<Row>`
    select o.id, o.code as "schCode", o.name as "schName", o.city, o.state, k.step, k.until::text as until, k.students,
      k.due as owed, coalesce(nullif(o.whatsapp, ''), o.phone) as phone, (select count(*) from users u where u.school_id = o.id and u.disabled_at is null) as people,
      (select count(*) from users u join bounced_addresses b on b.address = u.email
        where u.school_id = o.id and u.disabled_at is null) as bounced,
      n.sent_at as "remindedAt", f.name as "remindedBy"
    from (
      select k.* from school_steps k join schools o on o.id = k.school_id
      where ${stepFilter(today, query)} order by k.until nulls last, k.school_id ${window}) k
      join schools o on o.id = k.school_id
      left join lateral (
        select sent_at, sent_by from school_reminders n where n.school_id = o.id order by sent_at desc limit 1) n on true
      left join staff f on f.id = n.sent_by
    order by k.until nulls last, k.school_id`.execute(db)
  const rest = new Date(now.getTime() - daysBetweenReminders * 86_400_000)
  const mayRead = mayDo(scope.role, 'payments.read')
  return rows.map(
    ({ owed, remindedAt, remindedBy, ...row }): ReminderRow => ({
      ...row,
      daysLeft: row.until === null ? null : daysBetween(today, row.until),
      due: mayRead ? rupeesOf(owed) : null,
      lastReminder: remindedAt === null ? null : { at: remindedAt.toISOString(), by: remindedBy ?? '' },
      can: row.people === 0 ? 'nobody' : remindedAt !== null && remindedAt > rest ? 'recent' : true,
    }),
  )
}

/** One page of schools to remind, and the total. */
export async function schoolsToRemind(
  db: Db,
  scope: OfficeScope,
  now: Date,
  query: ReminderQuery & { page: number },
) {
  const window = pageOf(query.page, pageSize)
  const data = await remindersBy(db, scope, now, query, window)
  const counted = await sql<{ total: number }>`
    select count(*) as total from school_steps k join schools o on o.id = k.school_id
    where ${stepFilter(istDay(now), query)}`.execute(db)
  return { data, total: counted.rows[0]?.total ?? 0, pageSize }
}

/** All schools that match the filters, for export. */
export async function allToRemind(tx: ReadTx, scope: OfficeScope, now: Date, query: ReminderQuery) {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return remindersBy(tx, scope, now, query, sql``)
}

/** A school's next step; `until` is an IST day, `due` in paise. */
export interface SchoolStep {
  school_id: number
  step: NextStepKind
  until: string | null
  students: number
  due: number
}

/**
 * SQL: the next step of all or some active schools: enter students while entries are open, otherwise pay what is due,
 * otherwise, once paid, choose exam dates. Schools with nothing to do are left out. Library orders are optional: they delay
 * no step, but are part of what is due.
 */
export function nextStepsOf(season: Season, today: string, ids?: readonly number[]) {
  const schoolFilter = ids === undefined ? sql`` : sql`and o.id = any(${ids}::bigint[])`
  const studentFilter = ids === undefined ? sql`` : sql`and s.school_id = any(${ids}::bigint[])`
  const paymentFilter = ids === undefined ? sql`` : sql`and p.school_id = any(${ids}::bigint[])`
  const dues = ids === undefined ? sql`left join ${duesBySchool(season)} d on d.school_id = o.id` : sql``
  const due = ids === undefined ? sql`coalesce(d.due, 0)` : owedBySchool(season)
  const forStudents = ids === undefined ? sql`coalesce(d.for_students, 0)` : owedForStudents(season)
  return sql`
    select f.school_id, f.step, f.students, f.due,
      case f.step when 'enrol' then q.entries when 'pay' then q.fees else f.choice end as until
    from (
      select g.*, case when g.students = 0 then 'enrol' when g.for_students > 0 then 'pay'
        when g.paid = g.students and g.choice is not null then 'choose-dates' end as step
      from (
        select o.id as school_id, coalesce(h.students, 0) as students, coalesce(h.paid, 0) as paid, ${due} as due,
          ${forStudents} as for_students, x.choice
        from schools o
          left join (
            select s.school_id, count(*) as students, count(*) filter (where s.paid) as paid
            from students s where s.season = ${season} and s.active ${studentFilter} group by s.school_id) h on h.school_id = o.id
          ${dues}
          left join (
            select p.school_id, min(t.held_on - n.date_choice_days) as choice
            from participations p
              join events e on e.id = p.event_id and e.season = ${season} and e.mode = 'Offline' and e.level = 1
              join exam_dates t on t.event_id = e.id and t.ordinal = 1
              join seasons n on n.label = e.season
            where p.exam_date_id is null and t.held_on - n.date_choice_days >= ${today}::date ${paymentFilter}
              and exists (select from enrolments m join students s on s.id = m.student_id and s.active
                where m.school_id = p.school_id and m.event_id = p.event_id)
            group by p.school_id) x on x.school_id = o.id
        where o.active ${schoolFilter}) g) f
      cross join (
        select n.fee_due_on as fees, n.state = 'open' as open,
          (select max(e.closes_on) from events e where e.season = n.label and e.level = 1) as entries
        from seasons n where n.label = ${season}) q
    where f.step is not null and (f.step <> 'enrol' or (q.open and q.entries >= ${today}::date))`
}

/** The next steps of some schools as of now. */
export async function stepsNow(tx: Tx, season: Season, today: string, ids: readonly number[]) {
  const { rows } = await sql<SchoolStep>`
    select y.school_id, y.step, y.until::text as until, y.students, y.due
    from (${nextStepsOf(season, today, ids)}) y order by y.school_id`.execute(tx)
  return rows
}
