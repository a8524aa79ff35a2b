import { type BookKind, className } from '@podium/contract/classes'
import type { OlympiadDate, OlympiadFee, studentsBySubject } from '@podium/contract/dashboard/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import { istDay, type Season, seasonBefore } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { lateFeeNow } from '#features/catalogue/queries'
import { lateFeesOf } from '#features/catalogue/seasons/queries'
import { classOrder, isWithdrawn } from '#features/payments/queries'
import type { PaperSchool } from '#features/students/lists/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound } from '#platform/errors'
import type { DeadlineFacts, Facts } from './rules.ts'

interface Totals {
  totalStudent: number
  totalBook: number
  bookStudent: number
  lastSeason: number
  teacherQuestion: number
  acceptedQuestion: number
  uniqueVisitor: number
}

/** The totals of a school's season without deleted students. `lastSeasonStudent` is null if there were none. */
export async function countTotals(db: Db, scope: SchoolScope, season: Season) {
  const school = scope.schoolId
  const { rows } = await sql<Totals>`
    select count(*) filter (where season = ${season}) as "totalStudent",
      coalesce(sum(book_count) filter (where season = ${season}), 0) as "totalBook",
      count(*) filter (where season = ${season} and book_count > 0) as "bookStudent",
      count(*) filter (where season <> ${season}) as "lastSeason",
      (select count(*) from teacher_questions q where q.school_id = ${school} and q.season = ${season}) as "teacherQuestion",
      (select count(*) from teacher_questions q
        where q.school_id = ${school} and q.season = ${season} and q.state = 'accepted') as "acceptedQuestion",
      (select count(*) from family_links l
        where l.school_id = ${school} and l.season = ${season} and l.first_opened_at is not null) as "uniqueVisitor"
    from students
    where school_id = ${school} and season in (${season}, ${seasonBefore(season)}) and active`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('totals always have a row')
  const { lastSeason, ...rest } = totals
  return { ...rest, lastSeasonStudent: lastSeason === 0 ? null : lastSeason }
}

/** The olympiads of a season with their two dates, in the catalogue's order. */
export async function findDates(db: Db, season: Season): Promise<OlympiadDate[]> {
  const { rows } = await sql<OlympiadDate>`
    select e.letter as "eventLetter", sub.name as "eventName", e.mode as "examMode",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate"
    from events e join subjects sub on sub.letter = e.letter
      join seasons s on s.label = e.season and s.state <> 'preparing'
    where e.season = ${season} and e.level = 1
    order by sub.position, e.letter`.execute(db)
  return rows
}

/** The price of an entry in each olympiad of an open season, in catalogue order. */
export async function findFees(db: Db, season: Season, now: Date): Promise<OlympiadFee[]> {
  const { rows } = await sql<Omit<OlympiadFee, 'from' | 'to'> & { lowest: number; highest: number }>`
    select e.letter as "eventLetter", sub.name as "eventName", e.closes_on as "closesOn",
      min(f.fee) + ${lateFeeNow(now)} as lowest, max(f.fee) + ${lateFeeNow(now)} as highest
    from seasons s join events e on e.season = s.label join subjects sub on sub.letter = e.letter
      join event_fees f on f.event_id = e.id
    where s.label = ${season} and s.state = 'open' and e.level = 1
    group by e.id, sub.letter
    order by sub.position, e.letter`.execute(db)
  return rows.map(({ lowest, highest, ...olympiad }) => ({
    ...olympiad,
    from: rupeesOf(lowest),
    to: rupeesOf(highest),
  }))
}

/** Students of the school by subject in a season, and how many of them are paid. Subjects without students are left out. */
export async function countBySubject(db: Db, scope: SchoolScope, season: Season) {
  const { rows } = await sql<AnswerOf<typeof studentsBySubject>['data'][number]>`
    select sub.letter as "eventLetter", sub.name as "subjectName", sub.little_star as "littleStar", n.total, n.paid
    from (
      select letter, count(*) as total, count(*) filter (where st.paid) as paid
      from students st, unnest(string_to_array(st.letters, ',')) as letter
      where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active
      group by letter) n
      join subjects sub on sub.letter = n.letter
    order by n.total desc, sub.position`.execute(db)
  return rows
}

/** Students of the school by class in a season, from Nursery to Class 12, and how many of them are paid. */
export async function countByClass(db: Db, scope: SchoolScope, season: Season) {
  const { rows } = await sql<{ classId: number; total: number; paid: number }>`
    select s.class_id as "classId", count(*) as total, count(*) filter (where s.paid) as paid
    from students s
    where s.school_id = ${scope.schoolId} and s.season = ${season} and s.active
    group by s.class_id
    order by ${classOrder}`.execute(db)
  return rows.map((row) => ({ ...row, className: className(row.classId) }))
}

type RowFacts = Omit<Facts, 'dueEntries' | 'due' | 'money' | 'attendance'>

/** Reads the facts behind a school's season track in one statement; undefined if the season is not open yet. */
export async function readTrackFacts(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<RowFacts | undefined> {
  const school = scope.schoolId
  const { rows } = await sql<RowFacts>`
    select to_char(c.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as "verifiedOn",
      t.students, case when t.books > 0 then t.books else b.copies end as books,
      array(select distinct p.purpose::text from payments p
        where p.school_id = ${school} and p.season = ${season} and p.state = 'pending' and p.purpose <> 'library') as pending,
      (select coalesce(jsonb_agg(jsonb_build_object('purpose', x.purpose, 'payable', x.payable, 'reason', x.reason)
          order by x.decided_at desc), '[]') from (
          select distinct on (p.purpose) p.purpose, p.state = 'rejected' and not ${isWithdrawn} as rejected,
            p.payable, p.reason, p.decided_at from payments p
          where p.school_id = ${school} and p.season = ${season} order by p.purpose, p.id desc) x
        where x.rejected) as rejected,
      (select max(closes_on) from events e where e.season = ${season} and e.level = 1) as "closesOn",
      s.fee_due_on as "feeDueOn", s.results_from as "resultsFrom",
      (select min(d.held_on) from exam_dates d join events e on e.id = d.event_id where e.season = ${season}) as "examsFrom",
      p.dated, p.undated, l.lists, l.signed,
      (select count(*) from result_sets r join events e on e.id = r.event_id
        where e.season = ${season} and r.state in ('approved', 'released') and r.release_at <= ${now}
          and exists (select from results x where x.set_id = r.id and x.event_id = r.event_id and x.school_id = ${school})
          and not exists (select from result_holds h where h.event_id = r.event_id and h.school_id = ${school})) as released
    from seasons s join schools c on c.id = ${school}
      cross join (
        select count(*) as students, coalesce(sum(book_count), 0) as books from students
        where school_id = ${school} and season = ${season} and active) t
      cross join (
        select coalesce(sum(quantity), 0) as copies from library_lines
        where school_id = ${school} and season = ${season} and active) b
      cross join (
        select count(x.exam_date_id) as dated, count(*) filter (where x.exam_date_id is null
            and (d.held_on - n.date_choice_days >= ${istDay(now)}) is not false) as undated
        from participations x join events e on e.id = x.event_id join seasons n on n.label = e.season
          left join exam_dates d on d.event_id = e.id and d.ordinal = 1
        where x.school_id = ${school} and e.season = ${season} and e.mode = 'Offline'
          and exists (select from students st where st.school_id = ${school} and st.season = ${season} and st.active
            and e.letter = any(string_to_array(st.letters, ',')))) p
      cross join (
        select count(*) as lists, count(x.signed_off_at) as signed
        from participations x join events e on e.id = x.event_id
        where x.school_id = ${school} and e.season = ${season} and e.level = 1
          and exists (select from students st where st.school_id = ${school} and st.season = ${season} and st.active
            and e.letter = any(string_to_array(st.letters, ',')))) l
    where s.label = ${season} and s.state <> 'preparing'`.execute(db)
  return rows[0]
}

/**
 * Reads the facts behind a school's deadlines, except the amount due. A season that does not exist yet has none of its own,
 * but invitations of the season before may still be answered.
 */
export async function readDeadlineFacts(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<Omit<DeadlineFacts, 'payable'>> {
  const { rows } = await sql<Omit<DeadlineFacts, 'payable' | 'lateFees'>>`
    select l.label as season, coalesce(s.state = 'open', false) as open, coalesce(s.fee_due_on::text, '') as "feeDueOn",
      coalesce((
        select jsonb_agg(jsonb_build_object('name', sub.name, 'day', e.closes_on) order by sub.position)
        from events e join subjects sub on sub.letter = e.letter
        where e.season = s.label and e.level = 1), '[]') as closings,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', sub.name, 'firstDate', d.held_on,
          'choiceDays', s.date_choice_days, 'paid', t.paid = t.total) order by sub.position)
        from participations p join events e on e.id = p.event_id and e.season = s.label and e.mode = 'Offline'
          join subjects sub on sub.letter = e.letter
          left join exam_dates d on d.event_id = e.id and d.ordinal = 1
          cross join lateral (
            select count(*) as total, count(*) filter (where st.paid) as paid
            from enrolments n join students st on st.id = n.student_id
            where n.school_id = p.school_id and n.event_id = p.event_id and st.active) t
        where p.school_id = ${scope.schoolId} and p.exam_date_id is null and t.total > 0), '[]') as undated,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', sub.name, 'day', d.answer_by, 'season', d.season) order by sub.position)
        from next_level_rounds d join events e on e.id = d.event_id join subjects sub on sub.letter = e.letter
        where d.season <= l.label and d.answer_by >= ${istDay(now)} and exists (
          select from next_level_invitations i
          where i.school_id = ${scope.schoolId} and i.event_id = d.event_id and i.notice = 'invited' and i.answer = '')
          and not exists (
            select from result_holds h where h.event_id = d.event_id and h.school_id = ${scope.schoolId})), '[]') as unanswered
    from (select ${season}::text as label) l left join seasons s on s.label = l.label`.execute(db)
  return { ...orNotFound(rows[0]), lateFees: await lateFeesOf(db, season, now) }
}

/** Lowest and highest price of the classes it is offered to, in paise */
export type Span = readonly [number, number]

interface FormSubject {
  letter: string
  name: string
  littleStar: boolean
  mode: string
  firstDate: string | null
  secondDate: string | null
  /** The date chosen by the school; null before */
  chosenDate: string | null
  closesOn: string
  fee: Span
  /** null if the book is not published */
  prices: Record<Lowercase<BookKind>, Span | null>
}

interface FormContact {
  name: string
  designation: string
  title: string
  mobile: string
  email: string
}

const details = [
  ...(['address', 'city', 'district', 'state', 'country', 'pin_code', 'email', 'phone'] as const),
  ...(['landline', 'website', 'affiliation_no', 'udise_code'] as const),
] as const

export interface FormData {
  /** A form to fill in by hand: only the school's code and name are printed, '' before it is registered */
  blank: boolean
  season: Season
  school: { code: string; name: string } & Record<(typeof details)[number], string>
  subjects: FormSubject[]
  contacts: FormContact[]
  /** Active students and books by class and letter */
  counts: Array<{ classId: number; letter: string; students: number }>
  students: Array<{
    classId: number
    section: string
    rollNo: number
    name: string
    letters: string
    books: string
  }>
  /** Library copies ordered so far; price in paise */
  library: Array<{ subject: string; classId: number; kind: BookKind; copies: number; price: number }>
}

const books = ['cb', 'pyqp', 'genex', 'tb', 'wb']
const span = (price: RawBuilder<unknown>) =>
  sql`case when max(${price}) is not null then jsonb_build_array(min(${price}), max(${price})) end`

/** The subjects in a season's forms: none before the office has opened it. */
const subjectsInForms = (season: Season) => sql`events e join subjects sub on sub.letter = e.letter
  join event_fees f on f.event_id = e.id
  join seasons s on s.label = e.season and s.state <> 'preparing' and e.season = ${season} and e.level = 1`

/** Whether a season has forms to download. */
export async function hasForms(db: Db, season: Season): Promise<boolean> {
  const { rows } = await sql`select 1 from ${subjectsInForms(season)} limit 1`.execute(db)
  return rows.length > 0
}

async function readFormSubjects(db: Db, schoolId: number | null, season: Season): Promise<FormSubject[]> {
  const { rows } = await sql<FormSubject>`
    select e.letter, sub.name, sub.little_star as "littleStar", e.mode, e.closes_on as "closesOn",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 1) as "firstDate",
      (select held_on from exam_dates d where d.event_id = e.id and d.ordinal = 2) as "secondDate",
      (select d.held_on from participations p join exam_dates d on d.id = p.exam_date_id
        where p.event_id = e.id and p.school_id = ${schoolId}) as "chosenDate",
      ${span(sql.ref('f.fee'))} as fee,
      jsonb_build_object(${sql.join(books.map((kind) => sql`${sql.lit(kind)}, ${span(sql.ref(`f.${kind}`))}`))}) as prices
    from ${subjectsInForms(season)}
    group by e.id, sub.letter
    order by sub.position`.execute(db)
  return rows
}

/** The data of the three forms, empty except for the school's code and name; undefined if the season does not exist. */
export async function readBlankForm(
  db: Db,
  { code, name }: Pick<PaperSchool, 'code' | 'name'>,
  season: Season,
): Promise<FormData | undefined> {
  const subjects = await readFormSubjects(db, null, season)
  if (subjects.length === 0) return undefined
  const nothing = Object.fromEntries(details.map((key) => [key, '']))
  const school = { ...(nothing as Record<(typeof details)[number], string>), code, name }
  return { blank: true, season, school, subjects, contacts: [], counts: [], students: [], library: [] }
}

/** Reads the data of all three forms; undefined if the season does not exist. */
export async function readFormData(
  db: Db,
  scope: SchoolScope,
  season: Season,
): Promise<FormData | undefined> {
  const school = await firstRow(db, 'schools', { id: scope.schoolId }, ['code', 'name', ...details])
  const subjects = await readFormSubjects(db, scope.schoolId, season)
  if (!school || subjects.length === 0) return undefined
  const contacts = await sql<FormContact>`
    select c.name, d.name as designation, t.name as title, c.mobile, c.email
    from contacts c join designations d on d.id = c.designation_id join titles t on t.id = c.title_id
    where c.school_id = ${scope.schoolId} and c.active and c.season = ${season}
    order by d.position, c.id limit 4`.execute(db)
  const counts = await sql<FormData['counts'][number]>`
    select st.class_id as "classId", letter, count(*) as students
    from students st, unnest(string_to_array(st.letters, ',')) as letter
    where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active
    group by st.class_id, letter`.execute(db)
  const students = await sql<FormData['students'][number]>`
    select class_id as "classId", section, roll_no as "rollNo", name, letters,
      concat_ws('; ', nullif('CB: ' || cb, 'CB: '), nullif('PTP: ' || pyqp, 'PTP: '), nullif('OEG: ' || genex, 'OEG: '),
        nullif('TB: ' || tb, 'TB: '), nullif('WB: ' || wb, 'WB: ')) as books
    from students where school_id = ${scope.schoolId} and season = ${season} and active
    order by array_position(array[15,13,14,1,2,3,4,5,6,7,8,9,10,11,12], class_id),
      section, roll_no, id`.execute(db)
  const library = await sql<FormData['library'][number]>`
    select sub.name as subject, l.class_id as "classId", l.kind, sum(l.quantity)::int as copies, l.price
    from library_lines l join events e on e.id = l.event_id join subjects sub on sub.letter = e.letter
    where l.school_id = ${scope.schoolId} and l.season = ${season} and l.active
    group by sub.name, sub.position, l.class_id, l.kind, l.price
    order by l.class_id, sub.position, l.kind`.execute(db)
  return {
    blank: false,
    library: library.rows,
    season,
    school,
    subjects,
    contacts: contacts.rows,
    counts: counts.rows,
    students: students.rows,
  }
}
