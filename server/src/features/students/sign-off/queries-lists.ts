import { className } from '@podium/contract/classes'
import { joiningMobile } from '@podium/contract/fields'
import { istDay, type Season } from '@podium/contract/season'
import { checkKinds, type SignOffLine, type SignOffList } from '@podium/contract/students/calls-sign-off'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { nothingPayable } from '#platform/paid-students'
import { registrationSent } from './queries.ts'
import {
  checksOf,
  type ListedStudent,
  reasonAgainstReopening,
  reasonAgainstSigning,
  sectionKey,
} from './rules.ts'

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
    student: { ...row, className: className(row.classId), reachable: joiningMobile(mobile) !== '' },
  }))
}

/**
 * The school's lists of a season with what is missing in each and its trace. A list whose last student was deleted is
 * left out, unless it was signed off.
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
