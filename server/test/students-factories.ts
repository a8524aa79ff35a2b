import { randomInt } from 'node:crypto'
import type { BodyOf } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import { seasonBefore, seasonOfYear } from '@podium/contract/season'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { insertSeason } from '../seed/catalogue.ts'
import { perDatabase, testDatabase } from './database.ts'
import { aDay, aSeason, aTeacher, aWord, thisSeason } from './factories.ts'
import type { TestServer } from './server.ts'

type EntryBody = BodyOf<typeof saveStudentDetails>

/** A student entry that is right: Class 7 A, Mathematics and Science, one book; a roll no of its own. */
export function anEntry(traits: Partial<EntryBody> = {}): EntryBody {
  return {
    FYear: thisSeason,
    classId: 7,
    section: 'A',
    rollno: randomInt(1, 900_000),
    studentName: `Ishita Namunawala ${aWord()}`,
    subjectName: 'Mathematics,Science',
    cb: 'Mathematics',
    ...traits,
  }
}

/** A student whom a teacher has entered by the call itself. */
export async function anEnteredStudent(
  server: TestServer,
  teacher: { token: string },
  traits: Partial<EntryBody> = {},
) {
  await aSeason()
  const { status, body } = await server.call(saveStudentDetails, { body: anEntry(traits) }, teacher)
  if (status !== 200) throw new Error(`not entered: ${JSON.stringify(body)}`)
  return body.data
}

export async function aTeacherInSeason() {
  await aSeason()
  return aTeacher()
}

const last = perDatabase(() => ({ year: 2085 }))

/** A season of the test's own, whose fees, dates and rules it may change: the year is far off, the clock is not asked. */
export async function aSeasonOfItsOwn(state: 'preparing' | 'open' | 'closed' = 'open') {
  const label = seasonOfYear(++last().year)
  const { db } = await testDatabase()
  await db.transaction().execute((tx) => insertSeason(tx, label, aDay, state))
  return label
}

export const lastSeason = seasonBefore(thisSeason)

interface LastTraits {
  name: string
  classId?: number
  section?: string
  rollNo?: number
  mobile?: string
  /** Letters and names of the subjects, joined by commas */
  letters?: string
  subjects?: string
  /** Names of subjects whose Comprehensive Book was ordered */
  cb?: string
  active?: boolean
  parentEmail?: string
}

let lastRoll = 0

/** Students whom a school had in an earlier season, as they were entered then. Answers their ids. */
export async function lastYear(
  teacher: { schoolId: number },
  students: readonly LastTraits[],
  label = lastSeason,
): Promise<number[]> {
  await aSeason(label)
  const { db } = await testDatabase()
  const rows = await db
    .insertInto('students')
    .values(
      students.map((one) => ({
        school_id: teacher.schoolId,
        season: label,
        class_id: one.classId ?? 6,
        section: one.section ?? 'A',
        roll_no: one.rollNo ?? ++lastRoll,
        name: one.name,
        name_key: foldName(one.name),
        parent_mobile: one.mobile ?? '',
        parent_email: one.parentEmail ?? '',
        letters: one.letters ?? 'M,S',
        subject_names: one.subjects ?? 'Mathematics,Science',
        cb: one.cb ?? '',
        active: one.active ?? true,
        paid: one.active ?? true,
        created_at: aDay,
        updated_at: aDay,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
