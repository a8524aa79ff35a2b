import { className } from '@podium/contract/classes'
import { familyMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import { formatSentence } from '@podium/contract/sentences'
import type { StudentCorrection } from '@podium/contract/students/calls-register'
import { placeText } from '@podium/contract/students/rules-row'
import { sql } from 'kysely'
import { priceOfKind } from '#features/catalogue/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { codeHash, type Keys, newCode, newId, seal } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'
import { isTakenRoll } from '../entry/queries.ts'
import { refuseResults } from './queries.ts'

interface Correction extends StudentCorrection {
  id: number
  version: number
}

/** The student's current school, read without a lock. */
export async function schoolOfChild(db: Db, id: number): Promise<number> {
  const child = await db.selectFrom('students').select('school_id').where('id', '=', id).executeTakeFirst()
  return orNotFound(child).school_id
}

/** Locks a student's row; the school must be locked already. Refuses with `changed_meanwhile`. */
export async function lockChild(tx: Tx, id: number, version: number, schoolId: number) {
  const student = await tx
    .selectFrom('students')
    .select(['id', 'school_id', 'season', 'class_id', 'section', 'roll_no', 'name', 'active', 'version'])
    .select(['parent_name', 'parent_email', 'parent_mobile', 'exam_roll_no', 'family_link_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (student.version !== version || student.school_id !== schoolId) throw new Refusal('changed_meanwhile')
  return student
}

/** Locks a student's school, then the student. Refuses with `changed_meanwhile`. */
export async function lockStudent(tx: Tx, id: number, version: number) {
  const schoolId = await schoolOfChild(tx, id)
  await sql`select id from schools where id = ${schoolId} for no key update`.execute(tx)
  return lockChild(tx, id, version, schoolId)
}
export type LockedStudent = Awaited<ReturnType<typeof lockStudent>>

function columnsOf(form: StudentCorrection) {
  return {
    class_id: form.classId,
    section: form.section,
    roll_no: form.rollno,
    name: form.studentName,
    parent_name: form.parentName,
    parent_email: form.parentEmailId,
    parent_mobile: form.parentMobileNo,
  }
}

/** The names of the columns in a student's audit lines. */
const names = {
  class_id: 'classId',
  section: 'section',
  roll_no: 'rollNo',
  name: 'name',
  parent_name: 'parentName',
  parent_email: 'parentEmail',
  parent_mobile: 'parentMobile',
} as const

/** Refuses a class to which one of the student's subjects or books is not offered. */
async function refuseForeignClass(tx: Tx, id: number, classId: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct sub.name from enrolments n join events e on e.id = n.event_id join subjects sub on sub.letter = e.letter
    where n.student_id = ${id} and not exists (
      select from event_fees f where f.event_id = e.id and f.class_id = ${classId})
    union
    select distinct sub.name from book_choices b join events e on e.id = b.event_id join subjects sub on sub.letter = e.letter
    where b.student_id = ${id} and not exists (
      select from event_fees f where f.event_id = e.id and f.class_id = ${classId} and ${priceOfKind} is not null)
    order by name`.execute(tx)
  if (rows.length === 0) return
  const subjects = rows.map((row) => row.name).join(', ')
  throw refuseField('classId', formatSentence('classNotOffered', { place: className(classId), subjects }))
}

interface Place {
  id: number
  schoolId: number
  season: string
  classId: number
  section: string
  rollNo: number
}

/**
 * Runs a write that gives a student a place. Only the write finds a roll no that the school, which locks nothing for this,
 * gives to another student meanwhile. Refuses a taken one.
 */
export async function takePlace(tx: Tx, place: Place, write: () => Promise<unknown>): Promise<void> {
  await sql`savepoint place`.execute(tx)
  try {
    await write()
  } catch (thrown) {
    if (!isTakenRoll(thrown)) throw thrown
    await sql`rollback to savepoint place`.execute(tx)
    await refuseTakenRoll(tx, place)
    throw new Refusal('changed_meanwhile')
  }
}

/** Refuses a roll no of another active student of the class and section, with that student's name. */
async function refuseTakenRoll(tx: Tx, place: Place): Promise<void> {
  const other = await tx
    .selectFrom('students')
    .select('name')
    .where('school_id', '=', place.schoolId)
    .where('season', '=', place.season)
    .where('class_id', '=', place.classId)
    .where('section', '=', place.section)
    .where('roll_no', '=', place.rollNo)
    .where('active', '=', true)
    .where('id', '<>', place.id)
    .executeTakeFirst()
  if (!other) return
  const message = formatSentence('rollTaken', {
    roll: place.rollNo,
    place: placeText(place),
    name: other.name,
  })
  throw new Refusal('enrolment.duplicate', { message, issues: [{ path: 'rollno', message }] })
}

/**
 * Corrects a student's details, paid or not; subjects, books, fees and exam roll no stay. Class and section can't change once
 * results were computed with them, unless marks are imported again before a release. A new mobile moves the student to the link
 * of that number's family. Refuses fields, `enrolment.deleted`, `students.has_results`, `changed_meanwhile`, `not_found`.
 */
export async function correctStudent(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  keys: Keys,
  correction: Correction,
): Promise<void> {
  const { id, version, reason } = correction
  const before = await lockStudent(tx, id, version)
  if (!before.active) throw new Refusal('enrolment.deleted')
  const to = columnsOf(correction)
  const changed = (Object.keys(names) as (keyof typeof names)[]).filter(
    (column) => before[column] !== to[column],
  )
  if (changed.length === 0) return
  const place = changed.some((column) => column === 'class_id' || column === 'section')
  if (place) await refuseResults(tx, id)
  if (changed.includes('class_id')) await refuseForeignClass(tx, id, to.class_id)
  const { school_id: schoolId, season } = before
  const link = changed.includes('parent_mobile')
    ? await linkByMobile(tx, keys, now, { schoolId, season, mobile: to.parent_mobile, name: to.name })
    : before.family_link_id
  const taken = { id, schoolId, season, classId: to.class_id, section: to.section, rollNo: to.roll_no }
  await takePlace(tx, taken, () =>
    changeRows(tx, 'students', {
      where: { id },
      set: {
        ...to,
        name_key: foldName(to.name),
        family_link_id: link,
        updated_at: now,
        version: version + 1,
      },
    }),
  )
  if (changed.includes('class_id')) {
    await tx.updateTable('enrolments').set({ class_id: to.class_id }).where('student_id', '=', id).execute()
    await tx.updateTable('book_choices').set({ class_id: to.class_id }).where('student_id', '=', id).execute()
  }
  const only = (of: Record<keyof typeof names, string | number>) =>
    Object.fromEntries(changed.map((column) => [names[column], of[column]]))
  const subject = { kind: 'student', id, schoolId, season }
  await audit(tx, now, scope, 'student.corrected', subject, { from: only(before), to: only(to), reason })
}

interface FamilyKey {
  schoolId: number
  season: string
  mobile: string
  /** The student's name: a link without remaining students is not reused for other names */
  name: string
}

/** Creates a family link with its code, or returns the one that the school has created for this mobile meanwhile. */
async function newLink(tx: Tx, keys: Keys, now: Date, { schoolId, season }: FamilyKey, mobile: string) {
  const id = newId()
  const code = newCode(8)
  const link = await tx
    .insertInto('family_links')
    .values({
      id,
      school_id: schoolId,
      season,
      parent_mobile: mobile,
      access_code_hash: codeHash(keys, id, code),
      access_code_sealed: seal(keys, code),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'season', 'parent_mobile'])
        .where('parent_mobile', '<>', sql.lit(''))
        .where('revoked_at', 'is', null)
        .doUpdateSet({ parent_mobile: mobile }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return link.id
}

/** The active link of the family with this mobile in the school and season, or a new one. */
export async function linkByMobile(tx: Tx, keys: Keys, now: Date, of: FamilyKey): Promise<string> {
  const mobile = familyMobile(of.mobile)
  if (mobile === '') return newLink(tx, keys, now, of, '')
  const known = await tx
    .selectFrom('family_links as l')
    .select(({ exists, selectFrom }) => [
      'l.id',
      exists(
        selectFrom('students as m')
          .select('m.id')
          .whereRef('m.family_link_id', '=', 'l.id')
          .where(({ or, eb }) => or([eb('m.active', '=', true), eb('m.name_key', '=', foldName(of.name))])),
      ).as('hasStudent'),
    ])
    .where('l.school_id', '=', of.schoolId)
    .where('l.season', '=', of.season)
    .where('l.parent_mobile', '=', mobile)
    .where('l.revoked_at', 'is', null)
    .forUpdate('l')
    .executeTakeFirst()
  if (known?.hasStudent) return known.id
  if (known)
    await tx.updateTable('family_links').set({ revoked_at: now }).where('id', '=', known.id).execute()
  return newLink(tx, keys, now, of, mobile)
}
