import { formatRupees, rupeesOf } from '@podium/contract/money'
import type { SeasonFigures } from '@podium/contract/office/calls-overview'
import { formatDay, istDay, type Season, seasonBefore } from '@podium/contract/season'
import { sql } from 'kysely'
import { largeSeason } from '#features/catalogue/seasons/queries'
import { duesBySchool } from '#features/schools/register/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadTx, Tx } from '#platform/db/database'
import { primaryReads, type Reads } from '#platform/db/database-replica'
import { addedRow } from '#platform/db/rows'
import { Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { pageOfSeason } from '#platform/mail/mail-templates'
import { type MailTextKind, mailPerson } from '#platform/mail/mail-texts'
import { countSeason, daysBetweenReminders, nextStepsOf, type SchoolStep, stepsNow } from './queries.ts'

/** The kind of job that counts a season; see jobs.ts. */
export const figuresJob = 'overview.figures'

/** Milliseconds for which figures are current; a large season is counted at most every five minutes. */
const freshMs = 60_000
const freshLargeMs = 5 * 60_000

/** Whether a season must be recounted, by the time and size of the last count. */
export const isStale = (now: Date, takenAt: Date, students: number): boolean =>
  now.getTime() - takenAt.getTime() > (students > largeSeason ? freshLargeMs : freshMs)

/** Enqueues a count of the season, unless one is pending or running. */
export async function planCount(db: Db, now: Date, season: Season): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const under = await sql`
      select id from jobs where kind = ${figuresJob} and season = ${season} and state in ('waiting', 'running')
      limit 1`.execute(tx)
    if (under.rows.length === 0) await enqueueJob(tx, now, { kind: figuresJob, season, input: {} })
  })
}

/** The previous season's figures on this day a year ago, from students that still exist; money received in paise. */
async function countBefore(tx: ReadTx, season: Season, today: string): Promise<SeasonFigures['before']> {
  const until = sql`(${today}::date - interval '1 year' + interval '1 day') at time zone 'Asia/Kolkata'`
  const { rows } = await sql<NonNullable<SeasonFigures['before']>>`
    select ${season}::text as season, (${today}::date - interval '1 year')::date::text as day,
      count(distinct s.school_id)::int as entered, count(*)::int as students,
      coalesce(sum(cardinality(string_to_array(s.letters, ','))), 0)::int as entries,
      (select coalesce(sum(p.payable), 0) from payments p
        where p.season = ${season} and p.state = 'verified' and p.decided_at < ${until}) as received
    from students s where s.season = ${season} and s.active and s.created_at < ${until}`.execute(tx)
  const [found] = rows
  return found && (found.students > 0 || found.received > 0) ? found : null
}

/** Counts a season and each school's next step, and stores both. */
export async function storeFigures(
  db: Db,
  now: Date,
  season: Season,
  reads: Reads = primaryReads(db),
): Promise<void> {
  const today = istDay(now)
  const figures = await reads.caughtUp(async (tx) => {
    await sql`set local statement_timeout = '60s'`.execute(tx)
    await sql`set local jit = off`.execute(tx)
    const before = await countBefore(tx, seasonBefore(season), today)
    return { ...(await countSeason(tx, season, today)), before }
  })
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '60s'`.execute(tx)
    await sql`set local jit = off`.execute(tx)
    await tx
      .insertInto('season_figures')
      .values({ season, taken_at: now, figures: JSON.stringify(figures) })
      .onConflict((conflict) =>
        conflict.column('season').doUpdateSet({ taken_at: now, figures: JSON.stringify(figures) }),
      )
      .execute()
    await sql`
      with now_due as materialized (${nextStepsOf(season, today)}), gone as (
        delete from school_steps k where k.season = ${season}
          and not exists (select from now_due y where y.school_id = k.school_id)
      )
      insert into school_steps as k (season, school_id, step, until, students, due)
      select ${season}, y.school_id, y.step, y.until, y.students, y.due from now_due y
      on conflict (season, school_id) do update
        set step = excluded.step, until = excluded.until, students = excluded.students, due = excluded.due
        where (k.step, k.until, k.students, k.due) is distinct
        from (excluded.step, excluded.until, excluded.students, excluded.due)`.execute(tx)
    await storeSchools(tx, season)
    await storeEvents(tx, season)
  })
}

/** Stores what each school has and owes; unchanged rows are not written. */
async function storeSchools(tx: Tx, season: Season): Promise<void> {
  await sql`
    with counted as materialized (
      select coalesce(h.school_id, d.school_id) as school_id, coalesce(h.students, 0) as students, coalesce(d.due, 0) as due
      from (
        select s.school_id, count(*) as students from students s where s.season = ${season} and s.active
        group by s.school_id) h
        full join ${duesBySchool(season)} d on d.school_id = h.school_id
    ), gone as (
      delete from school_figures k where k.season = ${season}
        and not exists (select from counted c where c.school_id = k.school_id)
    )
    insert into school_figures as k (season, school_id, students, due)
    select ${season}, c.school_id, c.students, c.due from counted c
    on conflict (season, school_id) do update set students = excluded.students, due = excluded.due
      where (k.students, k.due) is distinct from (excluded.students, excluded.due)`.execute(tx)
}

/** Stores the number of students in each olympiad, by class and in total. */
async function storeEvents(tx: Tx, season: Season): Promise<void> {
  const ofSeason = sql`select e.id from events e where e.season = ${season}`
  await sql`delete from event_figures where event_id in (${ofSeason})`.execute(tx)
  await sql`
    insert into event_figures (event_id, class_id, students, unpaid, schools)
    select n.event_id, coalesce(n.class_id, 0), count(*), count(*) filter (where not s.paid),
      count(distinct n.school_id) filter (where s.paid)
    from enrolments n join students s on s.id = n.student_id and s.active
    where n.event_id in (${ofSeason})
    group by grouping sets ((n.event_id, n.class_id), (n.event_id))`.execute(tx)
  // Unchanged rows are not written.
  await sql`
    with counted as materialized (
      select n.event_id, n.school_id, count(*) as students from enrolments n join students s on s.id = n.student_id
      where n.event_id in (${ofSeason}) and s.active and s.paid group by n.event_id, n.school_id
    ), gone as (
      delete from event_school_figures k where k.event_id in (${ofSeason})
        and not exists (select from counted c where c.event_id = k.event_id and c.school_id = k.school_id)
    )
    insert into event_school_figures as k (event_id, school_id, students)
    select event_id, school_id, students from counted
    on conflict (event_id, school_id) do update set students = excluded.students
      where k.students <> excluded.students`.execute(tx)
}

interface Person {
  id: number
  schoolId: number
  school: string
  name: string
  email: string
  language: string
}

/** Locks the schools and returns the recipients of those not reminded recently. */
async function reachable(tx: Tx, now: Date, ids: readonly number[]): Promise<Person[]> {
  await tx.selectFrom('schools').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
  const rest = new Date(now.getTime() - daysBetweenReminders * 86_400_000)
  const { rows } = await sql<Person>`
    select u.id, o.id as "schoolId", o.name as school, u.name, u.email, u.language
    from schools o join users u on u.school_id = o.id and u.disabled_at is null
    where o.id = any(${ids}::bigint[])
      and not exists (select from school_reminders n where n.school_id = o.id and n.sent_at > ${rest})
    order by o.id, u.id`.execute(tx)
  return rows
}

const kinds = {
  enrol: 'reminder-enrol',
  pay: 'reminder-pay',
  'choose-dates': 'reminder-dates',
} as const satisfies Record<SchoolStep['step'], MailTextKind>

const pages = {
  enrol: '/student/entry',
  pay: '/Importantlink/managepayment',
  'choose-dates': '/School/examdate',
}

/**
 * Reminds schools of their next step as of now: an e-mail to each user in their language, a record, and an audit line. Skips
 * schools reminded in the last three days, without recipients, or with nothing to do; refuses if none remain.
 */
export async function sendReminders(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { FYear: season, ids }: { FYear: Season; ids: readonly number[] },
) {
  const people = await reachable(tx, now, ids)
  const steps = await stepsNow(tx, season, istDay(now), [...new Set(people.map(({ schoolId }) => schoolId))])
  if (steps.length === 0) throw new Refusal('reminders.too_soon')
  let mails = 0
  for (const step of steps) {
    const those = people.filter(({ schoolId }) => schoolId === step.school_id)
    const { id } = await addedRow(tx, 'school_reminders', ['id'], {
      school_id: step.school_id,
      season,
      step: step.step,
      people: those.length,
      sent_by: scope.staffId,
      sent_at: now,
    })
    for (const person of those) await mailReminder(tx, now, publicUrl, season, step, person, id)
    mails += those.length
    const subject = { kind: 'reminder', id, schoolId: step.school_id, season }
    await audit(tx, now, scope, 'reminder.sent', subject, { step: step.step, people: those.length })
  }
  return { sent: steps.length, mails, leftOut: new Set(ids).size - steps.length }
}

async function mailReminder(
  tx: Tx,
  now: Date,
  publicUrl: string,
  season: Season,
  { step, until, due }: SchoolStep,
  person: Person,
  reminderId: number,
): Promise<void> {
  const values = {
    school: person.school,
    season,
    day: until === null ? '–' : formatDay(until),
    amount: formatRupees(rupeesOf(due)),
    link: pageOfSeason(`${publicUrl}${pages[step]}`, season),
  }
  await mailPerson(tx, now, person, {
    key: `reminder:${reminderId}:${person.id}`,
    kind: 'reminder',
    mail: kinds[step],
    values,
  })
}
