import { className } from '@podium/contract/classes'
import { sentenceOf } from '@podium/contract/errors'
import type { SchoolDataRequest } from '@podium/contract/privacy/calls'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { pageOf } from '#platform/db/list-queries'

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

/**
 * SQL: the breaches the family was notified of: number, discovery date, when and how they were notified, and the e-mail as
 * sent, in their language. Excludes incidents they have not been notified of yet, and the register's internal notes, which
 * name others. For those notified without an e-mail there is only the time.
 */
const incidentNotifications = (ids: number[]) => sql`
    select distinct on (i.id) i.id as "Number", i.found_at as "Found", p.told_at as "You were told",
      case p.told_by_way when 'mail' then 'By e-mail' else 'Otherwise' end as "How",
      case p.told_by_way when 'mail' then i.mail -> case (
        select c.language from consents c where c.student_id = p.student_id order by c.id desc limit 1)
        when 'hi' then 'hi' else 'en' end ->> 'text' end as "The mail"
    from incident_people p join incidents i on i.id = p.incident_id
    where p.student_id = any(${ids}::bigint[]) and p.told_at is not null order by i.id, p.told_at`

/** A kind of data held about a child, with its records. */
export interface DataSection {
  key: string
  title: string
  records: Array<Record<string, string | number | boolean | null>>
}

const parts: ReadonlyArray<{ key: string; title: string; text: (ids: number[]) => ReturnType<typeof sql> }> =
  [
    {
      key: 'entries',
      title: 'Entries, one for each season',
      text: (ids) => sql`
      select st.season as "Season", o.name as "School", st.class_id as "Class no", st.section as "Section", st.roll_no as "Roll no",
        st.name as "Name", st.parent_name as "Parent", st.parent_email as "E-mail", st.parent_mobile as "Mobile",
        st.active as "Active", st.paid as "Paid", st.waived as "Fee waived", st.subject_names as "Subjects",
        st.exam_roll_no as "Exam roll no", st.created_at as "Entered", st.updated_at as "Changed"
      from students st join schools o on o.id = st.school_id where st.id = any(${ids}::bigint[]) order by st.season`,
    },
    {
      key: 'olympiads',
      title: 'Olympiads',
      text: (ids) => sql`
      select e.season as "Season", j.name as "Subject", e.level as "Level", n.fee / 100.0 as "Fee (rupees)", n.created_at as "Entered"
      from enrolments n join events e on e.id = n.event_id join subjects j on j.letter = e.letter
      where n.student_id = any(${ids}::bigint[]) order by e.season, j.name`,
    },
    {
      key: 'books',
      title: 'Books',
      text: (ids) => sql`
      select e.season as "Season", j.name as "Subject", b.kind as "Book", b.price / 100.0 as "Price (rupees)"
      from book_choices b join events e on e.id = b.event_id join subjects j on j.letter = e.letter
      where b.student_id = any(${ids}::bigint[]) order by e.season, j.name`,
    },
    {
      key: 'payments',
      title: 'Payments of the school that cover the child',
      text: (ids) => sql`
      select p.season as "Season", l.purpose as "For", l.gross / 100.0 as "Amount (rupees)", p.paid_on::text as "Paid on",
        case when p.reversed_at is null then p.state else 'returned' end as "State", p.receipt_no as "Receipt"
      from payment_lines l join payments p on p.id = l.payment_id
      where l.student_id = any(${ids}::bigint[]) order by p.id`,
    },
    {
      key: 'waivers',
      title: 'Fee waivers',
      text: (ids) => sql`
      select season as "Season", reason as "Reason", state as "State", decision as "Decision", asked_at as "Asked"
      from waivers where student_id = any(${ids}::bigint[]) order by id`,
    },
    {
      key: 'results',
      title: 'Released results',
      text: (ids) => sql`
      select e.season as "Season", j.name as "Subject", r.student_name as "Name", r.present as "Present",
        r.final_score / 10000.0 as "Score", r.class_rank as "Rank in class", r.state_rank as "Rank in state",
        r.zonal_rank as "Rank in zone", r.olympiad_rank as "Rank in all", r.medal as "Medal", r.prize as "Prize", r.award as "Award"
      from results r join result_sets s on s.id = r.set_id join events e on e.id = r.event_id join subjects j on j.letter = e.letter
      where r.student_id = any(${ids}::bigint[]) and s.released_at is not null order by e.season, j.name, s.version`,
    },
    {
      key: 'nextLevel',
      title: 'Invitations to the next level',
      text: (ids) => sql`
      select e.season as "Season", j.name as "Subject", d.level as "Level", i.told as "Told", i.told_at as "When",
        i.answer as "Answer of the school", i.answer_note as "Its note", i.answered_at as "Answered", i.reason as "Reason"
      from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id
        join events e on e.id = i.event_id join subjects j on j.letter = e.letter
      where i.student_id = any(${ids}::bigint[]) and i.told <> '' order by e.season, j.name`,
    },
    {
      key: 'certificates',
      title: 'Certificates',
      text: (ids) => sql`
      select c.number as "Number", j.name as "Subject", e.season as "Season", c.created_at as "Made"
      from certificates c join events e on e.id = c.event_id join subjects j on j.letter = e.letter
      where c.student_id = any(${ids}::bigint[]) order by c.created_at`,
    },
    {
      key: 'schedules',
      title: 'Times of online olympiads',
      text: (ids) => sql`
      select j.name as "Subject", x.from_at as "From", x.to_at as "Until", x.exam_status as "State"
      from exam_schedules x join events e on e.id = x.event_id join subjects j on j.letter = e.letter
      where x.student_id = any(${ids}::bigint[]) order by x.from_at`,
    },
    {
      key: 'moves',
      title: 'Moves to another school',
      text: (ids) => sql`
      select m.season as "Season", a.name as "From", b.name as "To", m.reason as "Reason", m.at as "When"
      from student_moves m join schools a on a.id = m.from_school join schools b on b.id = m.to_school
      where m.student_id = any(${ids}::bigint[]) order by m.at`,
    },
    {
      key: 'link',
      title: "The family's page",
      text: (ids) => sql`
      select l.season as "Season", l.created_at as "Made", l.first_opened_at as "First opened", l.last_opened_at as "Last opened"
      from family_links l where l.id in (select family_link_id from students where id = any(${ids}::bigint[])) order by l.season`,
    },
    {
      key: 'consents',
      title: 'Consent',
      text: (ids) => sql`
      select state as "State", notice_version as "Notice", language as "Language", method as "Given by", at as "When"
      from consents where student_id = any(${ids}::bigint[]) order by id`,
    },
    {
      key: 'requests',
      title: 'Requests about this data',
      text: (ids) => sql`
      select kind as "Kind", asked_at as "Asked", words as "In your words", state as "State", decision as "Answer", done_at as "Done"
      from data_requests where student_id = any(${ids}::bigint[]) order by id`,
    },
    {
      key: 'incidents',
      title: 'Data breaches you were told of',
      text: incidentNotifications,
    },
    {
      key: 'changes',
      title: 'Changes to the entry, the last 1,000',
      text: (ids) => sql`
      select at as "When", actor_kind as "By", action as "What"
      from audit where subject_kind = 'student' and subject_id = any(${ids.map(String)}::text[]) order by id desc limit 1000`,
    },
  ]

/** Everything that is held about one child, over all seasons. */
export async function dataAbout(db: Db | Tx, ids: number[]): Promise<DataSection[]> {
  const sections: DataSection[] = []
  for (const { key, title, text } of parts) {
    const { rows } = await text(ids).execute(db)
    const records = (rows as Array<Record<string, unknown>>).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    )
    sections.push({ key, title, records })
  }
  return sections
}

function plain(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return null
}

const pageSize = 50

interface Row extends Omit<SchoolDataRequest, 'requestedAt' | 'decidedAt' | 'late' | 'can' | 'className'> {
  requestedAt: Date
  decidedAt: Date | null
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
      st.erased_at is not null as erased, r.words, coalesce(u.name, '') as "requestedBy", r.asked_at as "requestedAt",
      r.due_on::text as "dueOn", r.state, r.decision, r.decided_at as "decidedAt", count(*) over ()::int as total,
      (count(*) filter (where r.state in ('asked', 'checked', 'working')) over ())::int as open
    from data_requests r join students st on st.id = r.student_id left join users u on u.id = r.asked_by_user
    where r.school_id = ${scope.schoolId} and r.asked_through = 'school'
    order by r.state in ('asked', 'checked', 'working') desc, r.due_on, r.id
    ${pageOf(page, pageSize)}`.execute(db)
  const { total = 0, open = 0 } = rows[0] ?? {}
  return { data: rows.map((row) => shown(row, now)), total, pageSize, open }
}

function shown(row: Row, now: Date): SchoolDataRequest {
  const { requestedAt, decidedAt, classId, erased, total: _, open: __, ...plain } = row
  const isOpen = row.state === 'asked' || row.state === 'checked'
  return {
    ...plain,
    studentName: erased ? '' : row.studentName,
    className: className(classId),
    requestedAt: requestedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    late: isOpen && row.dueOn < istDay(now),
    can: { withdraw: row.state === 'asked' ? true : sentenceOf('privacy.decided') },
  }
}
