import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { familyMobile } from '@podium/contract/fields'
import type { officeSchoolYears } from '@podium/contract/schools/calls-record'
import { istDay, type Season } from '@podium/contract/season'
import {
  type CheckKind,
  checkKinds,
  type SignOffCheck,
  type SignOffLine,
  type SignOffList,
  type SignOffReason,
} from '@podium/contract/students/calls-sign-off'
import { type RawBuilder, sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { nothingPayable } from '#platform/paid-students'

/** The fields of a student used by the checks. */
interface ListedStudent {
  id: number
  studentName: string
  /** Folded: lower case, without accents and punctuation */
  nameKey: string
  classId: number
  className: string
  section: string
  rollNo: number
  /** Has a mobile that is not a filler */
  reachable: boolean
  paid: boolean
  /** Nothing is payable; counts as paid once the list is signed off */
  free: boolean
  /** The registration fee is being verified */
  sent: boolean
}

/** The facts for checking a list. */
interface ListFacts {
  students: readonly ListedStudent[]
  /** Number of active students of the school by class and section (`placeKey`) */
  sections: ReadonlyMap<string, number>
  /** Offline, with dates on offer but none chosen */
  undated: boolean
  /** Number of active contacts in the season */
  contacts: number
  /** The school has a coordinator */
  coordinated: boolean
}

const maxShown = 50

const sectionKey = (pick: Pick<ListedStudent, 'classId' | 'section'>) => `${pick.classId} ${pick.section}`

/** A key that is the same for `Aarav Sharma` and `Sharma, Aarav`: class, and words of the name in any order. */
const duplicateKey = (student: ListedStudent) =>
  `${student.classId} ${student.nameKey.split(' ').toSorted().join(' ')}`

function check(
  kind: CheckKind,
  found: readonly ListedStudent[],
  otherOf: (student: ListedStudent) => ListedStudent | undefined = () => undefined,
): SignOffCheck[] {
  if (found.length === 0) return []
  const listedAs = ({ studentName, className, section, rollNo }: ListedStudent) => ({
    studentName,
    className,
    section,
    rollNo,
  })
  const students = found.slice(0, maxShown).map((item) => {
    const other = otherOf(item)
    return { ...listedAs(item), id: item.id, classId: item.classId, other: other ? listedAs(other) : null }
  })
  return [{ kind, count: found.length, students }]
}

const ofSchool = (kind: CheckKind, missing: boolean): SignOffCheck[] =>
  missing ? [{ kind, count: 0, students: [] }] : []

/** What is missing in a list, most important first. None of it prevents signing off: the coordinator knows the school. */
function checksOf(facts: ListFacts): SignOffCheck[] {
  const { students, sections } = facts
  const duplicates = Map.groupBy(students, duplicateKey)
  const duplicatesOf = (student: ListedStudent) =>
    (duplicates.get(duplicateKey(student)) ?? []).filter((other) => other.id !== student.id)
  return [
    ...check(
      'unpaid',
      students.filter((student) => !student.paid && !student.sent && !student.free),
    ),
    ...check(
      'waiting',
      students.filter((student) => student.sent),
    ),
    ...check(
      'mobile',
      students.filter((student) => !student.reachable),
    ),
    ...check(
      'twins',
      students.filter((student) => duplicatesOf(student).length > 0),
      (item) => duplicatesOf(item)[0],
    ),
    ...check(
      'lonely',
      students.filter((student) => isLonely(student, sections)),
    ),
    ...ofSchool('date', facts.undated),
    ...ofSchool('contact', facts.contacts === 0),
    ...ofSchool('coordinator', !facts.coordinated),
  ]
}

/** The only student in a section while the class has others: the section is probably mistyped. */
function isLonely(student: ListedStudent, sections: ReadonlyMap<string, number>): boolean {
  if ((sections.get(sectionKey(student)) ?? 0) !== 1) return false
  return [...sections].some(
    ([key, count]) => key.startsWith(`${student.classId} `) && key !== sectionKey(student) && count > 1,
  )
}

/** The facts that decide whether a list can be signed off or reopened. Days are IST days. */
interface SignFacts {
  /** An officer is signed in as the school */
  acting: boolean
  coordinator: boolean
  seasonOpen: boolean
  totalStudent: number
  closesOn: string
}

/** Why a list can't be signed off now, or undefined. */
function reasonAgainstSigning({
  acting,
  coordinator,
  seasonOpen,
  totalStudent,
}: SignFacts): SignOffReason | undefined {
  if (acting) return 'access.acting'
  if (!coordinator) return 'signoff.not_coordinator'
  if (!seasonOpen) return 'enrolment.season_closed'
  return totalStudent === 0 ? 'signoff.no_students' : undefined
}

/** Why a list can't be reopened now, or undefined; after its last day nothing in it could change anyway. */
function reasonAgainstReopening(
  { acting, coordinator, seasonOpen, closesOn }: SignFacts,
  today: string,
): SignOffReason | undefined {
  if (acting) return 'access.acting'
  if (!coordinator) return 'signoff.not_coordinator'
  if (!seasonOpen) return 'enrolment.season_closed'
  return today > closesOn ? 'enrolment.closed' : undefined
}

/**
 * A CTE for a statement that writes enrolments of these events: `lists`, the school's lists, locked for the transaction. A list
 * being signed off is waited for and then found closed, so that the sign-off counts everyone and no one is added after it. The
 * statement must also require `listsOpen`.
 */
export const signedOffLists = (scope: SchoolScope, events: RawBuilder<unknown>) => sql`
    lists as (
      select p.event_id, p.signed_off_at from participations p where p.school_id = ${scope.schoolId} and p.event_id in (${events})
      for share of p
    )`

/** SQL: no list of `signedOffLists` is signed off. */
export const listsOpen = sql`not exists (select from lists where signed_off_at is not null)`

/** SQL: letters of a school's signed-off lists in a season, comma-separated. */
export const signedOffLetters = (schoolId: number, season: Season) => sql<string>`(
  select coalesce(string_agg(e.letter, ','), '') from participations p join events e on e.id = p.event_id
  where p.school_id = ${schoolId} and p.signed_off_at is not null and e.season = ${season} and e.level = 1)`

/** Letters of a school's signed-off lists in a season. */
export async function signedOff(db: Db | Tx, schoolId: number, season: Season): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    letters: string
  }>`select ${signedOffLetters(schoolId, season)} as letters`.execute(db)
  return lettersOf(rows[0]?.letters ?? '')
}

export const lettersOf = (joined: string): ReadonlySet<string> =>
  new Set(joined === '' ? [] : joined.split(','))

/**
 * SQL: whether a student's registration fee is being verified. Not the same as `locked`, which a payment of books also sets.
 * Only locked rows are looked up, and not with “exists”, for which the planner may first read all payment lines into memory.
 */
export const registrationSent = (student: 's' | 'st' | 'students'): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${student}.${column}`)
  return sql`case when ${of('locked')} and not ${of('paid')} then coalesce((
    select true from payment_lines l
    where l.student_id = ${of('id')} and l.purpose = 'registration' and l.live), false) else false end`
}

/** The status of a school's lists in a season for the office, by event with active students. */
export async function listsOfSchool(db: Db, schoolId: number, season: Season) {
  const { rows } = await sql<AnswerOf<typeof officeSchoolYears>['lists'][number]>`
    select e.letter as "eventLetter", sub.name as "subjectName", t.students, ${instant('p.signed_off_at')} as "signedAt",
      coalesce((select o.signed_by_name from sign_offs o where o.participation_id = p.id and o.reopened_at is null), '') as "signedBy",
      (select count(*) from sign_offs o where o.participation_id = p.id and o.reopened_at is not null) as reopened,
      coalesce((select o.reason from sign_offs o where o.participation_id = p.id and o.reopened_at is not null
        order by o.id desc limit 1), '') as reason
    from participations p join events e on e.id = p.event_id join subjects sub on sub.letter = e.letter
      cross join lateral (
        select count(*) as students from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active) t
    where p.school_id = ${schoolId} and e.season = ${season} and e.level = 1 and (t.students > 0 or p.signed_off_at is not null)
    order by sub.position, e.letter`.execute(db)
  return rows
}

interface ListRow {
  eventManagementId: number
  eventLetter: string
  subjectName: string
  closesOn: string
  signedOff: boolean
  undated: boolean
  seasonOpen: boolean
  contacts: number
  coordinator: string
  history: Array<Omit<SignOffLine, 'missing'> & { missing: Partial<Record<string, number>> }>
}

async function listRows(db: Db | Tx, scope: SchoolScope, season: Season): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`
    select p.id as "eventManagementId", e.letter as "eventLetter", sub.name as "subjectName", e.closes_on as "closesOn",
      p.signed_off_at is not null as "signedOff", s.state = 'open' as "seasonOpen",
      e.mode = 'Offline' and p.exam_date_id is null and exists (select from exam_dates d where d.event_id = e.id) as undated,
      (select count(*) from contacts c where c.school_id = p.school_id and c.season = e.season and c.active) as contacts,
      coalesce((select u.name from users u where u.school_id = p.school_id and u.coordinator and u.disabled_at is null limit 1), '')
        as coordinator,
      (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'students', o.students, 'missing', o.missing,
          'signedBy', o.signed_by_name, 'signedAt', o.signed_at, 'reopenedBy', o.reopened_by_name,
          'reopenedAt', o.reopened_at, 'reason', o.reason) order by o.id desc), '[]')
        from sign_offs o where o.participation_id = p.id) as history
    from participations p join events e on e.id = p.event_id join subjects sub on sub.letter = e.letter
      join seasons s on s.label = e.season
    where p.school_id = ${scope.schoolId} and e.season = ${season} and e.level = 1
    order by sub.position, e.letter`.execute(db)
  return rows
}

type StudentRow = Omit<ListedStudent, 'className' | 'reachable'> & { letters: string; mobile: string }

async function activeStudents(db: Db | Tx, scope: SchoolScope, season: Season) {
  const { rows } = await sql<StudentRow>`
    select id, name as "studentName", name_key as "nameKey", class_id as "classId", section, roll_no as "rollNo",
      parent_mobile as mobile, paid, not paid and ${nothingPayable('students')} as free,
      ${registrationSent('students')} as sent, letters
    from students where school_id = ${scope.schoolId} and season = ${season} and active
    order by class_id, section, roll_no, id`.execute(db)
  return rows.map(({ mobile, letters, ...row }) => ({
    letters: new Set(letters.split(',')),
    student: { ...row, className: className(row.classId), reachable: familyMobile(mobile) !== '' },
  }))
}

/**
 * The school's lists of a season with checks and history. A list without active students is left out, unless it was signed off.
 */
export async function findLists(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  season: Season,
): Promise<{ coordinator: string; data: SignOffList[] }> {
  const rows = await listRows(db, scope, season)
  const all = await activeStudents(db, scope, season)
  const sections = new Map<string, number>()
  for (const { student } of all) {
    const key = sectionKey(student)
    sections.set(key, (sections.get(key) ?? 0) + 1)
  }
  const today = istDay(now)
  const data = rows.map((row) => {
    const { eventManagementId, eventLetter, subjectName, closesOn, signedOff, undated, contacts } = row
    const students = all.filter(({ letters }) => letters.has(eventLetter)).map(({ student }) => student)
    const facts = {
      acting: scope.acting !== undefined,
      coordinator: scope.coordinator,
      seasonOpen: row.seasonOpen,
      totalStudent: students.length,
      closesOn,
    }
    const coordinated = row.coordinator !== ''
    return {
      eventManagementId,
      eventLetter,
      subjectName,
      totalStudent: students.length,
      paidStudent: students.filter(({ paid }) => paid).length,
      closesOn,
      signedOff,
      canSign: reasonAgainstSigning(facts) ?? (true as const),
      canReopen: reasonAgainstReopening(facts, today) ?? (true as const),
      checks: signedOff ? [] : checksOf({ students, sections, undated, contacts, coordinated }),
      history: row.history.map(lineOf),
    }
  })
  return {
    coordinator: rows[0]?.coordinator ?? '',
    data: data.filter(({ totalStudent, history }) => totalStudent > 0 || history.length > 0),
  }
}

function lineOf({ missing, ...line }: ListRow['history'][number]): SignOffLine {
  const kinds = checkKinds.filter((kind) => missing[kind] !== undefined)
  return { ...line, missing: kinds.map((kind) => ({ kind, count: missing[kind] ?? 0 })) }
}
