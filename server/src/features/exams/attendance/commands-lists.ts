import type { BodyOf } from '@podium/contract/endpoint'
import type { saveAttendance } from '@podium/contract/exams/calls-attendance-lists'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { listRows, reasonAgainst, studentsOfList } from './queries.ts'

type List = BodyOf<typeof saveAttendance>['lists'][number]

/** Enters class lists of the school: all or none. Another school's list is not_found, as is an absent student not of the list. */
export async function saveLists(tx: Tx, scope: SchoolScope, now: Date, lists: readonly List[]) {
  const ids = lists.map(({ eventManagementId }) => eventManagementId)
  // The participation is the lock behind its lists.
  await sql`
    select from participations where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by id for update`.execute(tx)
  const rows = await listRows(tx, scope, now, sql`p.id = any(${ids}::bigint[])`)
  for (const list of lists) {
    const row = orNotFound(
      rows.find(
        ({ participationId, classId }) =>
          participationId === list.eventManagementId && classId === list.classId,
      ),
    )
    const reason = reasonAgainst(row, now)
    if (reason) throw new Refusal(reason)
    await saveList(tx, scope, now, list, row)
  }
}

async function saveList(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  list: List,
  { eventId, letter, season }: { eventId: number; letter: string; season: string },
): Promise<void> {
  const { eventManagementId, classId, version } = list
  const students = await studentsOfList(tx, scope, list)
  const known = new Set(students.map(({ studentId }) => studentId))
  if (list.absent.some((id) => !known.has(id))) throw new Refusal('not_found')
  const absent = new Set(list.absent)
  const { rows: saved } = await sql`
    insert into attendance_lists (participation_id, class_id, students, absent, saved_at)
    select ${eventManagementId}, ${classId}, ${students.length}, ${absent.size}, ${now}
    where ${version} = 0 or exists (
      select from attendance_lists where participation_id = ${eventManagementId} and class_id = ${classId})
    on conflict (participation_id, class_id) do update set students = excluded.students, absent = excluded.absent,
      saved_at = excluded.saved_at, version = attendance_lists.version + 1
      where attendance_lists.version = ${version}
    returning version`.execute(tx)
  if (saved.length === 0) throw new Refusal('changed_meanwhile')
  await sql`
    delete from attendance_absences
    where event_id = ${eventId} and student_id = any(${[...known]}::bigint[])`.execute(tx)
  await sql`
    insert into attendance_absences (event_id, student_id)
    select ${eventId}, unnest(${[...absent]}::bigint[])`.execute(tx)
  const was = students.filter((one) => one.absent).map(({ nioRollNo }) => nioRollNo)
  const is = students.filter(({ studentId }) => absent.has(studentId)).map(({ nioRollNo }) => nioRollNo)
  await audit(
    tx,
    now,
    scope,
    'attendance.saved',
    { kind: 'participation', id: eventManagementId, season },
    { letter, classId, students: students.length, from: { absent: was }, to: { absent: is } },
  )
}
