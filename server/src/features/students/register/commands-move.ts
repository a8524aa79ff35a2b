import { className } from '@podium/contract/classes'
import type { ParsedBody } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import { rupeesOf } from '@podium/contract/money'
import type {
  cancelStudent as cancelStudentCall,
  moveStudent as moveStudentCall,
} from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { addRow, changeRows, findRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { notFound, Refusal, refuseField } from '#platform/errors'
import { updateSlabSharesIn } from '#platform/paid-students'
import {
  type LockedStudent,
  linkByMobile,
  lockChild,
  lockStudent,
  schoolOfChild,
  takePlace,
} from './commands-correct.ts'
import { paidFor, readSearch, refuseResults, schoolOfCode } from './queries.ts'

type MoveInput = ParsedBody<typeof moveStudentCall>

/** The target school of a move: existing, active and different. */
async function targetOf(db: Db | Tx, schCode: string, from: number) {
  const target = await schoolOfCode(db, schCode)
  if (!target) throw refuseField('schCode', messages.moveSchoolUnknown)
  if (target.id === from) throw refuseField('schCode', messages.moveSameSchool)
  if (!target.active) throw new Refusal('schools.inactive')
  return target
}

/** Locks both schools in id order, then the student, in the order used by all writes. */
async function lockAll(tx: Tx, { id, version, schCode }: MoveInput) {
  const from = await schoolOfChild(tx, id)
  const target = await targetOf(tx, schCode, from)
  await sql`select id from schools where id in (${from}, ${target.id})
    order by id for no key update`.execute(tx)
  const student = await lockChild(tx, id, version, from)
  return { student, target }
}

/** Refuses a school that has signed off a list of one of the student's subjects. */
async function refuseSignedOff(db: Db | Tx, studentId: number, schoolId: number): Promise<void> {
  const { rows } = await sql`
    select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = ${schoolId}
    where n.student_id = ${studentId} and p.signed_off_at is not null limit 1`.execute(db)
  if (rows.length > 0) throw new Refusal('enrolment.signed_off_there')
}

async function refuseFixed(db: Db | Tx, student: { id: number; active: boolean }) {
  if (!student.active) throw new Refusal('enrolment.deleted')
  await refuseResults(db, student.id)
  const paid = await paidFor(db, student.id)
  if (paid.some(({ state }) => state === 'pending')) throw new Refusal('enrolment.locked')
  return paid
}

/** Preview of a move, without writing. Same refusals as the move. */
export async function previewMove(db: Db, _scope: OfficeScope, id: number, schCode: string) {
  const student = await db
    .selectFrom('students')
    .select(['id', 'school_id', 'active', 'letters', 'book_count', 'exam_roll_no'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  const target = await targetOf(db, schCode, student.school_id)
  await refuseSignedOff(db, id, target.id)
  const paid = await refuseFixed(db, student)
  const entries = student.letters === '' ? 0 : student.letters.split(',').length
  return {
    to: { schCode: target.code, schName: target.name, city: target.city },
    entries,
    books: student.book_count,
    paid: paid.reduce((sum, line) => sum + line.amount, 0) / 100,
    examRollNo: student.exam_roll_no ?? '',
  }
}

/**
 * Moves a student to another school within the season, with subjects, books and online slots. Money stays with the school that
 * paid and is credited at the new one. An exam roll no, which begins with the school's code, is replaced and never reused.
 * The family gets a link of the new school. Refuses a deleted student, one whose payment is being verified or who has
 * results, and a taken roll no.
 */
export async function moveStudent(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  moving: MoveInput,
): Promise<void> {
  const { student, target } = await lockAll(tx, moving)
  const { id, version, section, rollno, reason } = moving
  await refuseSignedOff(tx, id, target.id)
  const paid = await refuseFixed(tx, student)
  const { season, class_id: classId, school_id: from } = student
  const mobile = student.parent_mobile
  const link = await linkByMobile(tx, keys, now, { schoolId: target.id, season, mobile, name: student.name })
  const place = { id, schoolId: target.id, season, classId, section, rollNo: rollno }
  await takePlace(tx, place, () =>
    changeRows(tx, 'students', {
      where: { id },
      set: {
        school_id: target.id,
        section,
        roll_no: rollno,
        exam_roll_no: null,
        family_link_id: link,
        // Undoing an import at the previous school must not affect the student here
        import_id: null,
        updated_at: now,
        version: version + 1,
      },
    }),
  )
  for (const table of ['enrolments', 'book_choices'] as const)
    await tx.updateTable(table).set({ school_id: target.id }).where('student_id', '=', id).execute()
  await tx.updateTable('waivers').set({ school_id: target.id }).where('student_id', '=', id).execute()
  // The new school has not been notified of the times.
  await changeRows(tx, 'exam_schedules', {
    where: { student_id: id, exam_status: 'Not started' },
    set: { notified_at: null },
  })
  await sql`
    insert into participations (school_id, event_id, created_at)
    select ${target.id}, event_id, ${now}::timestamptz from enrolments where student_id = ${id}
    on conflict (school_id, event_id) do nothing`.execute(tx)
  if (student.exam_roll_no !== null) await giveExamRollNumber(tx, id)
  await addRow(tx, 'student_moves', {
    student_id: id,
    season,
    from_school: from,
    to_school: target.id,
    amount: paid.reduce((sum, line) => sum + line.amount, 0),
    reason,
    moved_by: scope.staffId,
    at: now,
  })
  const before = await findRow(tx, 'schools', { id: from }, ['code'])
  const change = {
    from: {
      school: before.code,
      section: student.section,
      rollNo: student.roll_no,
      examRollNo: student.exam_roll_no,
    },
    to: { school: target.code, section, rollNo: rollno },
    reason,
  }
  for (const [action, schoolId] of [
    ['student.moved_away', from],
    ['student.moved', target.id],
  ] as const)
    await audit(tx, now, scope, action, { kind: 'student', id, schoolId, season }, change)
  for (const schoolId of [from, target.id].toSorted((a, b) => a - b))
    await updateSlabSharesIn(tx, now, { schoolId, season })
}

/**
 * Assigns an exam roll no to a student without one: school code, class, serial. Uses the same ever-increasing counters as paid
 * students, so no number is assigned twice in a season.
 */
async function giveExamRollNumber(tx: Tx, studentId: number): Promise<void> {
  await sql`
    with fresh as (
      select s.id, s.class_id, c.code, 'exam-roll:' || s.season || ':' || s.school_id || ':' || s.class_id as counter
      from students s join schools c on c.id = s.school_id where s.id = ${studentId} and s.exam_roll_no is null),
    counted as (
      insert into counters (name, value) select counter, 1 from fresh
      on conflict (name) do update set value = counters.value + 1
      returning value)
    update students s
    set exam_roll_no = fresh.code || '-' || lpad(fresh.class_id::text, 2, '0') || '-' ||
      lpad(counted.value::text, greatest(3, length(counted.value::text)), '0')
    from fresh, counted where s.id = fresh.id`.execute(tx)
}

/** The contact details of a student's parents. The viewing is logged, the details are not. */
export async function showContact(tx: Tx, scope: OfficeScope, now: Date, id: number) {
  const student = await tx
    .selectFrom('students')
    .select(['school_id', 'season', 'parent_name', 'parent_email', 'parent_mobile'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  const subject = { kind: 'student', id, schoolId: student.school_id, season: student.season }
  await audit(tx, now, scope, 'student.contact_shown', subject)
  return {
    parentName: student.parent_name,
    parentEmail: student.parent_email,
    parentMobile: student.parent_mobile,
  }
}

/**
 * The list masks parents' mobiles. Roles that may not see them can't search by them; others only by a whole number, a limited
 * number of times an hour. Returns whether the search is for a mobile.
 */
export async function refuseMobileSearch(
  { limits }: Pick<Deps, 'limits'>,
  scope: OfficeScope,
  search: string,
): Promise<boolean> {
  if (readSearch(search).mobile === '') return false
  if (!mayDo(scope.role, 'students.contact')) throw new Refusal('students.mobile_search')
  await limits.take('contact-search.per-staff', String(scope.staffId))
  return true
}

/** Logs a search for a mobile and the students found, never the number. */
export async function logMobileSearch(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  found: readonly { id: number; schId: number; FYear: string }[],
): Promise<void> {
  const all = { kind: 'students', id: 'mobile' }
  await audit(tx, now, scope, 'students.found_by_mobile', all, { students: found.length })
  for (const { id, schId, FYear } of found) {
    const child = { kind: 'student', id, schoolId: schId, season: FYear }
    await audit(tx, now, scope, 'student.found_by_mobile', child)
  }
}

/** A student as named in a school's account: class, section and roll no. */
function placeOf({ class_id, section, roll_no }: LockedStudent): string {
  return `${className(class_id)}${section === '-' ? '' : ` ${section}`}, ${roll_no}`
}

/**
 * Cancels a student's entry permanently: the school can't restore it. The row remains, marked as deleted, and payments stay
 * unchanged; what was paid becomes a credit of the paying school, by a contra entry. A pending waiver is declined. Refuses a
 * deleted student, one whose payment is being verified, and one with results.
 */
export async function cancelStudent(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, reason }: ParsedBody<typeof cancelStudentCall>,
): Promise<{ credit: number }> {
  const student = await lockStudent(tx, id, version)
  if (!student.active) throw new Refusal('enrolment.deleted')
  await refuseResults(tx, id)
  const paid = await paidFor(tx, id)
  if (paid.some(({ state }) => state === 'pending')) throw new Refusal('enrolment.locked')
  await changeRows(tx, 'students', {
    where: { id },
    set: { active: false, cancelled: true, updated_at: now, version: version + 1 },
  })
  await changeRows(tx, 'waivers', {
    where: { student_id: id, state: 'asked' },
    set: { state: 'declined', decision: reason, decided_by: scope.staffId, decided_at: now },
  })
  const bySchool = new Map<number, number>()
  for (const line of paid) bySchool.set(line.schoolId, (bySchool.get(line.schoolId) ?? 0) + line.amount)
  let credit = 0
  for (const [schoolId, amount] of bySchool) {
    if (amount <= 0) continue
    credit += amount
    await sql`
      insert into school_credits (school_id, season, kind, amount, student_id, note, created_by, created_at)
      values (${schoolId}, ${student.season}, 'cancelled', ${amount}, ${id}, ${placeOf(student)}, ${scope.staffId},
      ${now})`.execute(tx)
  }
  await updateSlabSharesIn(tx, now, { schoolId: student.school_id, season: student.season })
  const subject = { kind: 'student', id, schoolId: student.school_id, season: student.season }
  await audit(tx, now, scope, 'student.cancelled', subject, {
    from: { active: true },
    to: { active: false },
    reason,
    ...(credit > 0 ? { amount: credit / 100 } : {}),
  })
  return { credit: rupeesOf(credit) }
}
