import { istDay } from '@podium/contract/season'
import { said, sentences } from '@podium/contract/sentences'
import { placeText } from '@podium/contract/students/rules-place'
import { type RawBuilder, sql } from 'kysely'
import { heldLists, listsOpen } from '#features/students/sign-off/queries'
import { actorOf } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { followSlabs } from '#platform/share-slabs'
import { type Attempt, isTakenRoll, whyNot } from './queries-refusal.ts'

interface Which {
  studentId: number
  /** Of the row that was shown; any where absent */
  version?: number | undefined
}

/** Deletes a student that is active, unpaid, not under verification, of open events and of lists that are not signed off. The row is kept, and shown as deleted. */
export async function deleteStudent(db: Db, scope: SchoolScope, now: Date, which: Which) {
  return setActive(db, scope, now, which, false)
}

/** Takes a deletion back, under the same guards. Enrolments, books and their prices are as they were when deleted. */
export async function restoreStudent(db: Db, scope: SchoolScope, now: Date, which: Which) {
  return setActive(db, scope, now, which, true)
}

async function setActive(db: Db, scope: SchoolScope, now: Date, which: Which, active: boolean) {
  try {
    const done = await flip(
      db,
      scope,
      now,
      which,
      active,
      sql`
      from seasons s
      where st.id = ${which.studentId} and st.school_id = ${scope.schoolId} and st.active = ${!active}
        and not st.paid and not st.locked and not st.cancelled
        and s.label = st.season and s.state = 'open'
        and not exists (
          select from enrolments n join events e on e.id = n.event_id where n.student_id = st.id and e.closes_on < ${istDay(now)}::date)`,
    )
    if (done) {
      const { season, ...answer } = done
      await followSlabs(db, now, { schoolId: scope.schoolId, season })
      return answer
    }
  } catch (thrown) {
    if (!isTakenRoll(thrown)) throw thrown
    throw await takenMeanwhile(db, scope, which.studentId)
  }
  const attempt: Attempt = {
    want: active ? 'restore' : 'delete',
    id: which.studentId,
    version: which.version,
  }
  throw await whyNot(db, scope, now, attempt)
}

/** One statement: the change and its audit line, or neither. */
async function flip(
  db: Db,
  scope: SchoolScope,
  now: Date,
  which: Which,
  active: boolean,
  guard: RawBuilder<unknown>,
) {
  const actor = actorOf(scope)
  const events = sql`select n.event_id from enrolments n where n.student_id = ${which.studentId}`
  const { rows } = await sql<{ studentId: number; version: number; season: string }>`
    with ${heldLists(scope, events)}, changed as (
      update students st set active = ${active}, updated_at = ${now}::timestamptz, version = st.version + 1
      ${guard} and ${listsOpen} and (${which.version ?? null}::int is null or st.version = ${which.version ?? null})
      returning st.id, st.school_id, st.season, st.name, st.class_id, st.section, st.roll_no, st.version
    ), noted as (
      insert into audit (at, actor_kind, actor_id, actor_name, acting_for, school_id, season, action, subject_kind, subject_id, change)
      select ${now}::timestamptz, ${actor.actor_kind}, ${actor.actor_id}::bigint, ${actor.actor_name}, ${actor.acting_for}, c.school_id, c.season,
        ${active ? 'student.restored' : 'student.deleted'}, 'student', c.id::text,
        jsonb_build_object('from', jsonb_build_object('active', ${!active}::boolean), 'to', jsonb_build_object('active', ${active}::boolean),
          'name', c.name, 'classId', c.class_id, 'section', c.section, 'rollNo', c.roll_no)
      from changed c
    )
    select id as "studentId", version, season from changed`.execute(db)
  return rows[0]
}

/** A student can't come back to a roll no that somebody else has by now, nor beside the same child carried over again. */
async function takenMeanwhile(db: Db, scope: SchoolScope, id: number): Promise<Refusal> {
  const { rows } = await sql<{
    name: string
    classId: number
    section: string
    rollNo: number
    again: boolean
  }>`
    select other.name, st.class_id as "classId", st.section, st.roll_no as "rollNo",
      coalesce(other.carried_from = st.carried_from, false) as again
    from students st left join students other on other.school_id = st.school_id and other.season = st.season and other.active
      and (other.carried_from = st.carried_from
        or (other.class_id = st.class_id and other.section = st.section and other.roll_no = st.roll_no))
    where st.id = ${id} and st.school_id = ${scope.schoolId}
    order by again desc`.execute(db)
  const row = rows[0]
  if (!row) return new Refusal('not_found')
  if (row.again)
    return new Refusal('enrolment.duplicate', {
      message: said('carriedAgain', { name: row.name }),
    })
  const name = row.name ?? sentences.anotherStudent
  const message = said('rollTakenByNow', { roll: row.rollNo, place: placeText(row), name })
  return new Refusal('enrolment.duplicate', { message, issues: [{ path: 'rollno', message }] })
}
