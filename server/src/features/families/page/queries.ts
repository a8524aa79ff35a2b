import { className } from '@podium/contract/classes'
import type { Issue } from '@podium/contract/endpoint'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import type { FamilyExam, FamilyFoundation, FamilyStudent } from '@podium/contract/families/calls'
import type { FamilyFields } from '@podium/contract/families/schemas'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { FamilyScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { hoursOf, readFoundation } from '#platform/foundation'

interface ActiveLink {
  id: string
  season: string
  hash: string
  firstName: string
}

/** An active family link with at least one child, and the first child's name; otherwise undefined. */
export async function findLink(db: Db | Tx, id: string): Promise<ActiveLink | undefined> {
  const { rows } = await sql<ActiveLink>`
    select l.id, l.season, l.access_code_hash as hash, st.name as "firstName"
    from family_links l join students st on st.family_link_id = l.id and st.active
    where l.id = ${id} and l.revoked_at is null
    order by st.id limit 1`.execute(db)
  return rows[0]
}

interface Row
  extends Omit<FamilyStudent, 'class' | 'can' | 'authenticationCode' | 'exams' | 'paymentStatus'> {
  paid: boolean
  locked: boolean
  seasonState: string
  exams: FamilyExam[]
}

/** SQL: the olympiads of child `st` as JSON in catalogue order. */
const examsOfChild = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('eventLetter', e.letter, 'subjectName', sub.name, 'examMode', e.mode,
      'examDate', chosen.held_on, 'firstDate', one.held_on, 'secondDate', two.held_on,
      'examFrom', x.from_at, 'examTo', x.to_at) order by sub.position, e.letter), '[]')
  from enrolments n join events e on e.id = n.event_id join subjects sub on sub.letter = e.letter
    left join participations p on p.school_id = n.school_id and p.event_id = n.event_id
    left join exam_dates chosen on chosen.id = p.exam_date_id
    left join exam_dates one on one.event_id = e.id and one.ordinal = 1
    left join exam_dates two on two.event_id = e.id and two.ordinal = 2
    left join exam_schedules x on x.event_id = e.id and x.student_id = n.student_id and x.schedule_status <> 'Cancelled'
  where n.student_id = st.id)`

/** The children the family may see: those of its link that are not deleted, in order of entry. */
export async function findStudents(db: Db | Tx, scope: FamilyScope): Promise<FamilyStudent[]> {
  const { rows } = await sql<Row>`
    select st.id as "individualRegId", st.name as "studentName", st.parent_name as "m_F_Name",
      st.parent_mobile as "mobileNo", st.parent_email as email, st.class_id as "classId", st.section,
      st.roll_no as "rollNo", o.name as "schName", st.subject_names as "subjectName",
      coalesce(st.exam_roll_no, '') as "examRollNo", st.paid, st.locked, s.state as "seasonState", st.version,
      ${examsOfChild} as exams
    from students st join schools o on o.id = st.school_id join seasons s on s.label = st.season
    where st.family_link_id = ${scope.linkId} and st.school_id = ${scope.schoolId} and st.active
    order by st.id`.execute(db)
  return rows.map(({ paid, locked, seasonState, ...row }) => ({
    ...row,
    class: className(row.classId),
    paymentStatus: paid,
    authenticationCode: '',
    can: allowances({ paid, locked, seasonState }),
  }))
}

/** The only row shown before the access code is entered: just the first child's masked name. */
export function maskedStudent(firstName: string): FamilyStudent {
  return {
    individualRegId: 0,
    studentName: maskName(firstName),
    m_F_Name: '',
    mobileNo: '',
    email: '',
    class: '',
    classId: 0,
    section: '',
    rollNo: 0,
    schName: '',
    subjectName: '',
    exams: [],
    examRollNo: '',
    paymentStatus: false,
    version: 0,
    authenticationCode: '',
    can: { edit: 'session.missing', rename: 'session.missing' },
  }
}

/** Seconds left in the family's session. */
export async function secondsLeft(db: Db, scope: FamilyScope, now: Date): Promise<number> {
  const session = await firstRow(db, 'sessions', { token_hash: scope.session }, ['expires_at'])
  return session ? Math.max(0, Math.floor((session.expires_at.getTime() - now.getTime()) / 1000)) : 0
}

const https = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:'

/** The foundation's details for families; only links with https (docs/security.md, T36). */
export async function familyFoundation(db: Db): Promise<FamilyFoundation> {
  const foundation = await readFoundation(db)
  const links = Array.isArray(foundation.social_links) ? foundation.social_links : []
  return {
    name: foundation.name,
    supportPhone: foundation.support_phone,
    supportHours: foundation.support_hours,
    supportHoursHi: hoursOf(foundation).hi,
    socialLinks: links.flatMap((link) => {
      if (typeof link !== 'object' || link === null || Array.isArray(link)) return []
      return typeof link.name === 'string' && https(link.url) ? [{ name: link.name, url: link.url }] : []
    }),
  }
}

/** Whether the season of a call, if given, is the link's. */
export function isSeasonOf(season: string, named: Season | undefined): boolean {
  return named === undefined || named === season
}

/** The content of an enrolment ticket. */
export interface TicketData {
  student: FamilyStudent
  season: string
  school: { code: string; name: string; address: string; city: string; state: string; pin_code: string }
}

/** Reads the ticket of a child of this link; undefined for any other id. */
export async function findTicket(
  db: Db,
  scope: FamilyScope,
  studentId: number,
): Promise<TicketData | undefined> {
  const student = (await findStudents(db, scope)).find(({ individualRegId }) => individualRegId === studentId)
  if (!student) return undefined
  const school = await db
    .selectFrom('schools')
    .select(['code', 'name', 'address', 'city', 'state', 'pin_code'])
    .where('id', '=', scope.schoolId)
    .executeTakeFirstOrThrow()
  return { student, season: scope.season, school }
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * What a name shows without the access code: the first letter, with its vowel sign in Indian scripts, and
 * always three dots. A mother recognises her child; a stranger learns neither the length nor the last letter
 * (docs/security.md, T16).
 */
export function maskName(name: string): string {
  const [first] = letters.segment(name.trim())
  return `${first?.segment ?? ''}•••`
}

/** The facts that decide whether a family may change a child's details. */
export interface StudentStatus {
  paid: boolean
  locked: boolean
  /** `preparing`, `open`, `closed` */
  seasonState: string
}

type Reason = Extract<ErrorCode, 'families.season_closed' | 'families.name_on_ticket' | 'enrolment.locked'>

/**
 * What a family may change, or the error code of the reason why not. Parents, mobile and e-mail can change until the season
 * is closed, because results are sent there; the name only until the fee is paid, because then it is printed on ticket,
 * answer sheet and certificate.
 */
function allowances({ paid, locked, seasonState }: StudentStatus): {
  edit: true | Reason
  rename: true | Reason
} {
  if (seasonState === 'closed') return { edit: 'families.season_closed', rename: 'families.season_closed' }
  if (paid) return { edit: true, rename: 'families.name_on_ticket' }
  return { edit: true, rename: locked ? 'enrolment.locked' : true }
}

/** The columns of a student that a family may change. */
interface FamilyColumns {
  name: string
  parent_name: string
  parent_mobile: string
  parent_email: string
}

/** The effect of a save: the new columns, which of them differ, and the audit line's from and to. */
export interface Changes {
  to: FamilyColumns
  changed: (keyof FamilyColumns)[]
  audited: { from: Record<string, string>; to: Record<string, string> }
}

const columns = [
  ['name', 'name'],
  ['parent_name', 'parentName'],
  ['parent_mobile', 'parentMobile'],
  ['parent_email', 'parentEmail'],
] as const

/** Compares the stored values with those entered; omitted parents stay as they are. */
export function changesOf(now: FamilyColumns, typed: FamilyFields): Changes {
  const to: FamilyColumns = {
    name: typed.studentName,
    parent_name: typed.parents ?? now.parent_name,
    parent_mobile: typed.mobileNo,
    parent_email: typed.email,
  }
  const changes: Changes = { to, changed: [], audited: { from: {}, to: {} } }
  for (const [column, key] of columns) {
    if (now[column] === to[column]) continue
    changes.changed.push(column)
    changes.audited.from[key] = now[column]
    changes.audited.to[key] = to[column]
  }
  return changes
}

/** The reason and field for which these changes can't be saved; undefined if they can. */
export function refusalOf(
  status: StudentStatus,
  { changed }: Changes,
): { code: Reason; issues: Issue[] } | undefined {
  const can = allowances(status)
  if (can.edit !== true) return { code: can.edit, issues: [] }
  if (can.rename === true || !changed.includes('name')) return undefined
  return { code: can.rename, issues: [{ path: 'studentName', message: sentenceOf(can.rename) }] }
}
