import { className } from '@podium/contract/classes'
import { sentenceOf } from '@podium/contract/errors'
import type { WrittenLanguage } from '@podium/contract/languages'
import type { SchoolDataRequest } from '@podium/contract/privacy/calls'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { isWithdrawn } from '#features/payments/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant, pageOf } from '#platform/db/list-queries'
import type words from './words-child.en.json'

type DataPart = keyof typeof words.parts
type DataField = keyof typeof words.fields

/**
 * One child's records in all seasons: linked by carry-over, or with the same name and the same mobile number on their family
 * links at a school. The link's mobile was entered by the school, so a family can't reach another child by changing it.
 */
export async function recordsOfChild(db: Db | Tx, studentId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive chain as (
      select id, carried_from from students where id = ${studentId}
      union
      select s.id, s.carried_from from students s join chain c on s.id = c.carried_from or s.carried_from = c.id)
    select id from chain
    union
    select k.id from students s
      join family_links own on own.id = s.family_link_id and own.parent_mobile <> ''
      join family_links l on l.school_id = own.school_id and l.parent_mobile = own.parent_mobile
        and l.season <> own.season and l.revoked_at is null
      join students k on k.family_link_id = l.id and k.name_key = s.name_key
    where s.id = ${studentId} and s.name_key <> ''`.execute(db)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** These records of a child, and those it was carried over into since. */
export async function withCarriedRecords(db: Db | Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive chain as (
      select unnest(${[...ids]}::bigint[]) as id
      union select s.id from students s join chain c on s.carried_from = c.id)
    select id from chain order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A kind of data held about a child, with its records: values by field (words-child.*.json). */
export interface DataSection {
  part: DataPart
  records: Array<Partial<Record<DataField, string | number | boolean | null>>>
}

/** The name of a subject `j` in the language of the reader. */
const subjectName = (language: WrittenLanguage) =>
  language === 'hi' ? sql`coalesce(nullif(j.name_hi, ''), j.name)` : sql`j.name`

/** The subjects of a student `st`. */
const subjectNames = (language: WrittenLanguage) => sql`(
  select string_agg(${subjectName(language)}, ', ' order by j.position)
  from enrolments n join events e on e.id = n.event_id join subjects j on j.letter = e.letter
  where n.student_id = st.id and e.level = 1)`

const parts: Record<DataPart, (ids: number[], language: WrittenLanguage) => RawBuilder<unknown>> = {
  entries: (ids, language) => sql`
    select st.season, o.name as school, st.class_id as "classId", st.section, st.roll_no as "rollNo", st.name,
      st.parent_name as "parentName", st.parent_email as "parentEmail", st.parent_mobile as "parentMobile", st.active, st.paid,
      st.waived as "feeWaived", ${language === 'en' ? sql`st.subject_names` : subjectNames(language)} as subjects,
      st.exam_roll_no as "examRollNo", st.created_at as "enteredAt", st.updated_at as "changedAt"
    from students st join schools o on o.id = st.school_id where st.id = any(${ids}::bigint[]) order by st.season`,
  olympiads: (ids, language) => sql`
    select e.season, ${subjectName(language)} as subject, e.level, n.fee / 100.0 as "feeRupees", n.created_at as "enteredAt"
    from enrolments n join events e on e.id = n.event_id join subjects j on j.letter = e.letter
    where n.student_id = any(${ids}::bigint[]) order by e.season, j.name`,
  books: (ids, language) => sql`
    select e.season, ${subjectName(language)} as subject, b.kind as book, b.price / 100.0 as "priceRupees"
    from book_choices b join events e on e.id = b.event_id join subjects j on j.letter = e.letter
    where b.student_id = any(${ids}::bigint[]) order by e.season, j.name`,
  payments: (ids) => sql`
    select p.season, l.purpose, l.gross / 100.0 as "amountRupees", p.paid_on::text as "paidOn",
      case when p.reversed_at is not null then 'returned' when ${isWithdrawn} then 'withdrawn' else p.state end as state,
      p.receipt_no as "receiptNo"
    from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = any(${ids}::bigint[]) order by p.id`,
  waivers: (ids) => sql`
    select season, reason, state, decision, asked_at as "askedAt"
    from waivers where student_id = any(${ids}::bigint[]) order by id`,
  results: (ids, language) => sql`
    select e.season, ${subjectName(language)} as subject, r.student_name as name, r.present, r.raw_score / 10000.0 as marks,
      r.final_score / 10000.0 as score,
      r.class_rank as "classRank", r.state_rank as "stateRank", r.zonal_rank as "zonalRank",
      r.olympiad_rank as "olympiadRank", r.medal, r.prize, r.award
    from results r join result_sets s on s.id = r.set_id join events e on e.id = r.event_id join subjects j on j.letter = e.letter
    where r.student_id = any(${ids}::bigint[]) and s.released_at is not null order by e.season, j.name, s.version`,
  nextLevel: (ids, language) => sql`
    select e.season, ${subjectName(language)} as subject, d.level, i.notice as notified, i.notified_at as "notifiedAt",
      i.answer as "schoolAnswer", i.answer_note as "schoolNote", i.answered_at as "answeredAt", i.reason
    from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id
      join events e on e.id = i.event_id join subjects j on j.letter = e.letter
    where i.student_id = any(${ids}::bigint[]) and i.notice <> '' order by e.season, j.name`,
  certificates: (ids, language) => sql`
    select c.number, ${subjectName(language)} as subject, e.season, c.created_at as "createdAt"
    from certificates c join events e on e.id = c.event_id join subjects j on j.letter = e.letter
    where c.student_id = any(${ids}::bigint[]) order by c.created_at`,
  schedules: (ids, language) => sql`
    select ${subjectName(language)} as subject, x.from_at as "from", x.to_at as until, x.exam_status as state
    from exam_schedules x join events e on e.id = x.event_id join subjects j on j.letter = e.letter
    where x.student_id = any(${ids}::bigint[]) order by x.from_at`,
  absences: (ids, language) => sql`
    select e.season, ${subjectName(language)} as subject, false as present
    from attendance_absences a join events e on e.id = a.event_id join subjects j on j.letter = e.letter
    where a.student_id = any(${ids}::bigint[]) order by e.season, j.name`,
  moves: (ids) => sql`
    select m.season, a.name as "fromSchool", b.name as "toSchool", m.reason, m.at as "movedAt"
    from student_moves m join schools a on a.id = m.from_school join schools b on b.id = m.to_school
    where m.student_id = any(${ids}::bigint[]) order by m.at`,
  link: (ids) => sql`
    select l.season, l.created_at as "createdAt", l.first_opened_at as "firstOpenedAt", l.last_opened_at as "lastOpenedAt"
    from family_links l where l.id in (select family_link_id from students where id = any(${ids}::bigint[])) order by l.season`,
  consents: (ids) => sql`
    select state, notice_version as "noticeVersion", language, method, at as "givenAt"
    from consents where student_id = any(${ids}::bigint[]) order by id`,
  requests: (ids) => sql`
    select kind, asked_at as "askedAt", message, state, decision as answer, done_at as "doneAt"
    from data_requests where student_id = any(${ids}::bigint[]) order by id`,
  // The breaches the family was notified of, with the e-mail as sent, in their language. Without incidents they have not been
  // notified of yet, and the register's internal notes, which name others. Without an e-mail there is only the time.
  incidents: (ids) => sql`
    select distinct on (i.id) i.id as number, i.found_at as "foundAt", p.notified_at as "youNotifiedAt",
      case p.notified_via when 'mail' then 'mail' else 'otherwise' end as way,
      case p.notified_via when 'mail' then i.mail -> case (
        select c.language from consents c where c.student_id = p.student_id order by c.id desc limit 1)
        when 'hi' then 'hi' else 'en' end ->> 'text' end as mail
    from incident_people p join incidents i on i.id = p.incident_id
    where p.student_id = any(${ids}::bigint[]) and p.notified_at is not null order by i.id, p.notified_at`,
  changes: (ids) => sql`
    select at, actor_kind as by, action
    from audit where subject_kind = 'student' and subject_id = any(${ids.map(String)}::text[]) order by id desc limit 1000`,
}

/** The language in which a family last gave or withdrew its consent. */
export async function languageOfFamily(db: Db | Tx, ids: number[]): Promise<WrittenLanguage> {
  const consent = await db
    .selectFrom('consents')
    .select('language')
    .where('student_id', 'in', ids)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return consent?.language === 'hi' ? 'hi' : 'en'
}

/** Everything that is held about one child, over all seasons. */
export async function dataAbout(
  db: Db | Tx,
  ids: number[],
  language: WrittenLanguage,
): Promise<DataSection[]> {
  const sections: DataSection[] = []
  for (const [part, text] of Object.entries(parts)) {
    const { rows } = await text(ids, language).execute(db)
    const records = (rows as Array<Record<string, unknown>>).map((row) =>
      Object.fromEntries(Object.entries(row).map(([field, value]) => [field, plain(value)])),
    )
    sections.push({ part: part as DataPart, records })
  }
  return sections
}

function plain(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return null
}

const pageSize = 50

interface Row extends Omit<SchoolDataRequest, 'late' | 'can' | 'className'> {
  classId: number
  erased: boolean
  total: number
  open: number
}

/**
 * Requests entered by the school for parents, open ones first, by due date. Excludes requests from the family page and the
 * office's check notes, which schools may not read.
 */
export async function requestsOfSchool(db: Db, scope: SchoolScope, now: Date, page: number) {
  const { rows } = await sql<Row>`
    select r.id, r.version, r.kind, st.name as "studentName", st.class_id as "classId", st.section, st.season as "FYear",
      st.erased_at is not null as erased, r.message, coalesce(u.name, '') as "requestedBy", ${instant('r.asked_at')} as "requestedAt",
      r.due_on::text as "dueOn", r.state, r.decision, ${instant('r.decided_at')} as "decidedAt",
      count(*) over ()::int as total,
      (count(*) filter (where r.state in ('asked', 'checked', 'working')) over ())::int as open
    from data_requests r join students st on st.id = r.student_id left join users u on u.id = r.asked_by_user
    where r.school_id = ${scope.schoolId} and r.asked_through = 'school'
    order by r.state in ('asked', 'checked', 'working') desc, r.due_on, r.id
    ${pageOf(page, pageSize)}`.execute(db)
  const { total = 0, open = 0 } = rows[0] ?? {}
  return { data: rows.map((row) => shown(row, now)), total, pageSize, open }
}

function shown(row: Row, now: Date): SchoolDataRequest {
  const { classId, erased, total: _, open: __, ...plain } = row
  const isOpen = row.state === 'asked' || row.state === 'checked'
  return {
    ...plain,
    studentName: erased ? '' : row.studentName,
    className: className(classId),
    late: isOpen && row.dueOn < istDay(now),
    can: { withdraw: row.state === 'asked' ? true : sentenceOf('privacy.decided') },
  }
}
