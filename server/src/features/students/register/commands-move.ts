import { messages } from '@podium/contract/messages'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal, refuseField } from '#platform/errors'
import { followSlabsIn } from '#platform/share-slabs'
import { refuseTakenRoll } from './commands-correct.ts'
import { linkByMobile } from './commands-link.ts'
import { giveExamRollNumber } from './commands-roll.ts'
import { hasResults, paidFor, schoolOfCode } from './queries-paid.ts'

export interface Moving {
  id: number
  version: number
  schCode: string
  section: string
  rollno: number
  reason: string
}

/** The school that a child goes to: known, switched on, and another one. */
async function targetOf(db: Db | Tx, schCode: string, from: number) {
  const target = await schoolOfCode(db, schCode)
  if (!target) throw refuseField('schCode', messages.moveSchoolUnknown)
  if (target.id === from) throw refuseField('schCode', messages.moveSameSchool)
  if (!target.active) throw new Refusal('schools.inactive')
  return target
}

/** Locks both schools by their ids, then the child: the one order in which every write takes them. */
async function lockAll(tx: Tx, { id, version, schCode }: Moving) {
  const { school_id: from } = found(
    await tx.selectFrom('students').select('school_id').where('id', '=', id).executeTakeFirst(),
  )
  const target = await targetOf(tx, schCode, from)
  await sql`select id from schools where id in (${from}, ${target.id}) order by id for no key update`.execute(
    tx,
  )
  const student = found(
    await tx
      .selectFrom('students')
      .select([
        'id',
        'school_id',
        'season',
        'class_id',
        'section',
        'roll_no',
        'name',
        'name_key',
        'parent_name',
        'parent_email',
        'parent_mobile',
        'active',
        'paid',
        'locked',
        'subject_names',
        'letters',
        'book_count',
        'exam_roll_no',
        'family_link_id',
        'import_id',
        'created_at',
        'updated_at',
        'version',
        'carried_from',
        'waived',
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (student.version !== version || student.school_id !== from) throw new Refusal('changed_meanwhile')
  return { student, target }
}

/** Refuses a school that has signed off the list of something that the child is entered for. */
async function refuseSignedOff(db: Db | Tx, studentId: number, schoolId: number): Promise<void> {
  const { rows } = await sql`
    select from enrolments n join participations p on p.event_id = n.event_id and p.school_id = ${schoolId}
    where n.student_id = ${studentId} and p.signed_off_at is not null limit 1`.execute(db)
  if (rows.length > 0) throw new Refusal('enrolment.signed_off')
}

async function refuseFixed(db: Db | Tx, student: { id: number; active: boolean }) {
  if (!student.active) throw new Refusal('enrolment.deleted')
  if (await hasResults(db, student.id)) throw new Refusal('students.has_results')
  const paid = await paidFor(db, student.id)
  if (paid.some(({ state }) => state === 'pending')) throw new Refusal('enrolment.locked')
  return paid
}

/** What a move would do, with nothing written; refuses what the move itself would. */
export async function previewMove(db: Db, _scope: OfficeScope, id: number, schCode: string) {
  const student = found(
    await db
      .selectFrom('students')
      .select([
        'id',
        'school_id',
        'season',
        'class_id',
        'section',
        'roll_no',
        'name',
        'name_key',
        'parent_name',
        'parent_email',
        'parent_mobile',
        'active',
        'paid',
        'locked',
        'subject_names',
        'letters',
        'book_count',
        'exam_roll_no',
        'family_link_id',
        'import_id',
        'created_at',
        'updated_at',
        'version',
        'carried_from',
        'waived',
      ])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
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
 * Moves a child to another school within the season. With it go its subjects, books and online slots. What was paid
 * stays with the school that has paid and is credited to the new one; the exam roll no, which begins with the school's
 * code, is given anew where there was one and the old one is never used again; the family gets a link of the new school.
 * Refuses a deleted child, one whose payment is being verified or that has results, a roll no that is taken.
 */
export async function moveStudent(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  moving: Moving,
): Promise<void> {
  const { student, target } = await lockAll(tx, moving)
  const { id, version, section, rollno, reason } = moving
  await refuseSignedOff(tx, id, target.id)
  const paid = await refuseFixed(tx, student)
  const { season, class_id: classId, school_id: from } = student
  await refuseTakenRoll(tx, { id, schoolId: target.id, season, classId, section, rollNo: rollno })
  const mobile = student.parent_mobile
  const link = await linkByMobile(tx, keys, now, { schoolId: target.id, season, mobile, name: student.name })
  await tx
    .updateTable('students')
    .set({
      school_id: target.id,
      section,
      roll_no: rollno,
      exam_roll_no: null,
      family_link_id: link,
      // Carried over and imported at the school before: taking that back there must not reach it here
      import_id: null,
      updated_at: now,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
  for (const table of ['enrolments', 'book_choices'] as const)
    await tx.updateTable(table).set({ school_id: target.id }).where('student_id', '=', id).execute()
  await tx.updateTable('waivers').set({ school_id: target.id }).where('student_id', '=', id).execute()
  await sql`
    insert into participations (school_id, event_id, created_at)
    select ${target.id}, event_id, ${now}::timestamptz from enrolments where student_id = ${id}
    on conflict (school_id, event_id) do nothing`.execute(tx)
  if (student.exam_roll_no !== null) await giveExamRollNumber(tx, id)
  await tx
    .insertInto('student_moves')
    .values({
      student_id: id,
      season,
      from_school: from,
      to_school: target.id,
      amount: paid.reduce((sum, line) => sum + line.amount, 0),
      reason,
      moved_by: scope.staffId,
      at: now,
    })
    .execute()
  const before = await tx
    .selectFrom('schools')
    .select('code')
    .where('id', '=', from)
    .executeTakeFirstOrThrow()
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
    await followSlabsIn(tx, now, { schoolId, season })
}
