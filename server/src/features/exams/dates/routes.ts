import type { ParsedBody } from '@podium/contract/endpoint'
import { sentenceOf } from '@podium/contract/errors'
import * as calls from '@podium/contract/exams/calls'
import { type OfficeExam, officeExams } from '@podium/contract/exams/calls-office'
import { messages } from '@podium/contract/messages'
import { addDays, istDay, parseSeason, type Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { serve } from '#platform/http/http'
import { nothingPayable } from '#platform/paid-students'

/** The facts that decide whether a school may choose an event's date. Days are IST days. */
interface ChoiceFacts {
  firstDate: string | null
  /** Choosing closes this many days before the first date, by the season's rule */
  choiceDays: number
  /** Active students of the school in the event, and how many have paid registration */
  totalStudent: number
  paidStudent: number
}

/** The last day to choose or change the date; null if no first date is set. */
function lastDayToChoose({ firstDate, choiceDays }: ChoiceFacts): string | null {
  return firstDate === null ? null : addDays(firstDate, -choiceDays)
}

/**
 * Why a school can't choose now, or undefined; permanent reasons come first. The writing statement checks the same.
 * docs/algorithms/exam-dates.md
 */
function reasonAgainst(facts: ChoiceFacts, today: string): calls.DateReason | undefined {
  const until = lastDayToChoose(facts)
  if (until === null) return 'exam.no_dates'
  if (facts.totalStudent === 0) return 'exam.no_students'
  if (today > until) return 'exam.too_late'
  if (facts.paidStudent < facts.totalStudent) return 'exam.unpaid'
  return undefined
}

interface Row extends Omit<calls.ExamDateSubject, 'can' | 'until'> {
  mode: string
  choiceDays: number
}

async function participations(db: Db | Tx, scope: SchoolScope, wanted: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.id as "eventManagementId", e.letter as "eventLetter", sub.name as "subjectName", e.level as "examLevel",
      chosen.held_on as "examDate", p.exam_date_id as "examDateId", one.id as "firstDateId", one.held_on as "firstDate",
      two.id as "secondDateId", two.held_on as "secondDate", p.version, e.mode, s.date_choice_days as "choiceDays",
      t.total as "totalStudent", t.paid as "paidStudent", t.waiting as "waitingStudent", t.free as "freeStudent", h.history
    from participations p join events e on e.id = p.event_id
      join subjects sub on sub.letter = e.letter join seasons s on s.label = e.season
      left join exam_dates one on one.event_id = e.id and one.ordinal = 1
      left join exam_dates two on two.event_id = e.id and two.ordinal = 2
      left join exam_dates chosen on chosen.id = p.exam_date_id
      cross join lateral (
        select count(*) as total, count(*) filter (where st.paid) as paid,
          count(*) filter (where not st.paid and ${nothingPayable('st')}) as free,
          count(*) filter (where not st.paid and exists (
            select from payment_lines l where l.student_id = st.id and l.purpose = 'registration' and l.live)) as waiting
        from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active) t
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'by', a.by, 'from', a.change->'from', 'to', a.change->'to')
          order by a.id desc), '[]') as history
        from (
          select id, at, change, case when actor_kind = 'account' then actor_name else '' end as by from audit
          where subject_kind = 'participation' and subject_id = p.id::text and action = 'exam_date.chosen'
          order by id desc limit 10) a) h
    where p.school_id = ${scope.schoolId} and ${wanted}
    order by e.level, sub.position, e.letter`.execute(db)
  return rows
}

/**
 * The offline events of a season in which the school has students, with dates, the choice and the reason against choosing.
 * Events without active students are left out.
 */
async function findExamDates(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<calls.ExamDateSubject[]> {
  const today = istDay(now)
  const rows = await participations(
    db,
    scope,
    sql`e.season = ${season} and e.mode = 'Offline' and t.total > 0`,
  )
  return rows.map((row) => ({
    ...row,
    history: row.history.map((change) => ({ ...change, from: change.from ?? null, to: change.to ?? null })),
    can: reasonAgainst(row, today) ?? true,
    until: lastDayToChoose(row),
  }))
}

/** One participation of the school in any state, for explaining a refusal; undefined if it does not exist. */
async function findParticipation(db: Db | Tx, scope: SchoolScope, id: number): Promise<Row | undefined> {
  const [row] = await participations(db, scope, sql`p.id = ${id}`)
  return row
}

/** The olympiads of a season in the order of their subjects. */
async function listExams(db: Db, _scope: OfficeScope, season: Season): Promise<OfficeExam[]> {
  const { rows } = await sql<OfficeExam>`
    select e.id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", e.level as "examLevel",
      e.mode as "examMode",
      (select d.held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select d.held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate"
    from events e join subjects u on u.letter = e.letter
    where e.season = ${season} order by u.position, e.level`.execute(db)
  return rows
}

type Choice = ParsedBody<typeof calls.setExamDate>

/**
 * Chooses or changes the exam date of one event for the school. Choosing the current date does nothing. Another school's
 * participation is not_found; other refusals give the reason (threats, T24).
 */
async function chooseExamDate(tx: Tx, scope: SchoolScope, now: Date, choice: Choice): Promise<void> {
  const { rows } = await sql<{ version: number; examDateId: number | null; examDate: string | null }>`
    select p.version, p.exam_date_id as "examDateId", d.held_on as "examDate"
    from participations p left join exam_dates d on d.id = p.exam_date_id
    where p.id = ${choice.eventManagementId} and p.school_id = ${scope.schoolId}
    for update of p`.execute(tx)
  const before = orNotFound(rows[0])
  if (before.examDateId === choice.examDateId) return
  if (choice.version !== undefined && choice.version !== before.version)
    throw new Refusal('changed_meanwhile')
  const chosen = await write(tx, scope, now, choice, before.version)
  if (!chosen) throw await explainRefusal(tx, scope, now, choice)
  await audit(
    tx,
    now,
    scope,
    'exam_date.chosen',
    { kind: 'participation', id: choice.eventManagementId, season: chosen.season },
    { letter: chosen.letter, from: before.examDate, to: chosen.examDate },
  )
}

interface ChosenDate {
  season: string
  letter: string
  examDate: string
}

/** The guarded statement that decides. */
async function write(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  choice: Choice,
  version: number,
): Promise<ChosenDate | undefined> {
  const { rows } = await sql<ChosenDate>`
    update participations p set exam_date_id = d.id, version = p.version + 1
    from events e join seasons s on s.label = e.season
      join exam_dates one on one.event_id = e.id and one.ordinal = 1
      join exam_dates d on d.event_id = e.id and d.ordinal in (1, 2)
    where p.id = ${choice.eventManagementId} and p.school_id = ${scope.schoolId} and p.version = ${version}
      and e.id = p.event_id and e.mode = 'Offline' and d.id = ${choice.examDateId}
      and ${istDay(now)}::date <= one.held_on - s.date_choice_days
      and exists (
        select from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active and st.paid)
      and not exists (
        select from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active and not st.paid)
    returning e.season, e.letter, d.held_on as "examDate"`.execute(tx)
  return rows[0]
}

/** Finds the refusal, with its figures, for a choice that the guard rejected. */
async function explainRefusal(tx: Tx, scope: SchoolScope, now: Date, choice: Choice): Promise<Refusal> {
  const row = orNotFound(await findParticipation(tx, scope, choice.eventManagementId))
  if (row.mode !== 'Offline') return new Refusal('exam.online')
  const { totalStudent, paidStudent, waitingStudent } = row
  const reason = reasonAgainst(row, istDay(now))
  if (reason) {
    const until = lastDayToChoose(row)
    return new Refusal(reason, { fields: { totalStudent, paidStudent, waitingStudent, until } })
  }
  const { examDateId } = choice
  if (examDateId !== row.firstDateId && examDateId !== row.secondDateId) {
    const issues = [{ path: 'examDateId', message: sentenceOf('exam.date_not_offered') }]
    return new Refusal('exam.date_not_offered', { issues })
  }
  return new Refusal('changed_meanwhile')
}

type DateInput = ParsedBody<typeof calls.setExamDate>

/** Routes for a school's exam dates: what is offered, what is chosen, and choosing. */
export function examRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.getExamDates, 'school', async ({ scope, query, now }) => ({
    data: await findExamDates(db, scope, orNotFound(parseSeason(query.FYear)), now),
  }))

  async function choose(scope: SchoolScope, now: Date, { examDateId, ...choice }: DateInput) {
    if (!examDateId) {
      const issues = [{ path: 'examDateId', message: messages.selectExamDate }]
      throw new Refusal('exam.no_date', { issues })
    }
    await db.transaction().execute((tx) => chooseExamDate(tx, scope, now, { ...choice, examDateId }))
    return { message: messages.saved }
  }
  serve(app, deps, calls.setExamDateGet, 'school', ({ scope, query, now }) => choose(scope, now, query))
  serve(app, deps, calls.setExamDate, 'school', ({ scope, body, now }) => choose(scope, now, body))
}

/** The season's olympiads, for the office's filters. */
export function officeExamRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, officeExams, 'office:signed-in', async ({ scope, query }) => ({
    data: await listExams(deps.db, scope, query.FYear),
  }))
}
