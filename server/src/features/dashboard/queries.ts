import { className } from '@podium/contract/classes'
import type { OlympiadDate } from '@podium/contract/dashboard/calls'
import { type Season, seasonBefore } from '@podium/contract/season'
import { sql } from 'kysely'
import { classOrder } from '#features/payments/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { Facts } from './rules.ts'

interface Totals {
  totalStudent: number
  totalBook: number
  bookStudent: number
  lastSeason: number
  teacherQuestion: number
  acceptedQuestion: number
  uniqueVisitor: number
}

/** The totals of a school's season, deleted students left out; `lastSeasonStudent` is null where there was none. */
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
    where e.season = ${season} and e.level = 1
    order by sub.position, e.letter`.execute(db)
  return rows
}

/** Students of the school in each subject of a season, and how many of them are paid; subjects without any are left out. */
export async function countBySubject(db: Db, scope: SchoolScope, season: Season) {
  const { rows } = await sql<{
    eventLetter: string
    subjectName: string
    littleStar: boolean
    total: number
    paid: number
  }>`
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

/** Students of the school in each class of a season, from Nursery to Class 12, and how many of them are paid. */
export async function countByClass(db: Db, scope: SchoolScope, season: Season) {
  const { rows } = await sql<{ classId: number; total: number; paid: number }>`
    select s.class_id as "classId", count(*) as total, count(*) filter (where s.paid) as paid
    from students s
    where s.school_id = ${scope.schoolId} and s.season = ${season} and s.active
    group by s.class_id
    order by ${classOrder}`.execute(db)
  return rows.map((row) => ({ ...row, className: className(row.classId) }))
}

type RowFacts = Omit<Facts, 'dueEntries' | 'due' | 'money'>

/** Gathers the facts of a season for one school in one statement; undefined where there is no such season. */
export async function readTrackFacts(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<RowFacts | undefined> {
  const school = scope.schoolId
  const { rows } = await sql<RowFacts>`
    select to_char(c.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as "verifiedOn",
      t.students, t.books,
      array(select distinct p.purpose::text from payments p
        where p.school_id = ${school} and p.season = ${season} and p.state = 'pending' and p.purpose <> 'library') as pending,
      (select coalesce(jsonb_agg(jsonb_build_object('purpose', x.purpose, 'payable', x.payable, 'reason', x.reason)
          order by x.decided_at desc), '[]') from (
          select distinct on (p.purpose) p.purpose, p.state, p.payable, p.reason, p.decided_at from payments p
          where p.school_id = ${school} and p.season = ${season} order by p.purpose, p.id desc) x
        where x.state = 'rejected') as rejected,
      (select max(closes_on) from events e where e.season = ${season} and e.level = 1) as "closesOn",
      s.fee_due_on as "feeDueOn", s.results_from as "resultsFrom",
      (select min(d.held_on) from exam_dates d join events e on e.id = d.event_id where e.season = ${season}) as "examsFrom",
      p.events, p.dated, l.lists, l.signed,
      (select count(*) from result_sets r join events e on e.id = r.event_id
        where e.season = ${season} and r.state in ('approved', 'released') and r.release_at <= ${now}) as released
    from seasons s join schools c on c.id = ${school}
      cross join (
        select count(*) as students, coalesce(sum(book_count), 0) as books from students
        where school_id = ${school} and season = ${season} and active) t
      cross join (
        select count(*) as events, count(x.exam_date_id) as dated
        from participations x join events e on e.id = x.event_id
        where x.school_id = ${school} and e.season = ${season} and e.mode = 'Offline'
          and exists (select from students st where st.school_id = ${school} and st.season = ${season} and st.active
            and e.letter = any(string_to_array(st.letters, ',')))) p
      cross join (
        select count(*) as lists, count(x.signed_off_at) as signed
        from participations x join events e on e.id = x.event_id
        where x.school_id = ${school} and e.season = ${season} and e.level = 1
          and exists (select from students st where st.school_id = ${school} and st.season = ${season} and st.active
            and e.letter = any(string_to_array(st.letters, ',')))) l
    where s.label = ${season}`.execute(db)
  return rows[0]
}
