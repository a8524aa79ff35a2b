import { randomInt } from 'node:crypto'
import type { BodyOf } from '@podium/contract/endpoint'
import { type ExamDateSubject, getExamDates } from '@podium/contract/exams/calls'
import { verifyFamilyCode } from '@podium/contract/families/calls'
import { foldName } from '@podium/contract/names'
import { type Season, seasonBefore, seasonOfYear } from '@podium/contract/season'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { confirmImport, importStudents } from '@podium/contract/students/calls-import'
import { unseal } from '#platform/auth/secrets'
import { insertSeason } from '../seed/catalogue.ts'
import { perDatabase, testDatabase } from './database.ts'
import { aDay, aSeason, aTeacher, aWord, thisSeason } from './factories.ts'
import { aStudent } from './payments-factories.ts'
import { changeRows, findRow } from './rows.ts'
import type { TestServer } from './server.ts'

type EntryBody = BodyOf<typeof saveStudentDetails>

/** Returns a valid student entry: Class 7 A, Mathematics and Science, one book; with a unique roll no. */
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

/** Enters a student through a teacher's call. */
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

/** Uploads a list with these lines of Class, Section, Roll No, …; it is checked, not imported. */
export async function aCheckedList(
  server: TestServer,
  { token }: { token: string },
  lines: readonly string[],
  FYear: Season = thisSeason,
) {
  const text = ['Class,Section,Roll No,Student Name,Mobile,Subjects', ...lines].join('\n')
  const file = { name: 'students.csv', bytes: new TextEncoder().encode(text) }
  return server.ask(importStudents, { FYear }, { token, file })
}

/** Imports the correct lines of a checked list. */
export async function importList(server: TestServer, teacher: { token: string }, importId: string) {
  await server.ask(confirmImport, { importId }, teacher)
  await server.jobs.drain()
}

export async function aTeacherInSeason() {
  await aSeason()
  return aTeacher()
}

const last = perDatabase(() => ({ year: 2085 }))

/**
 * Creates a season whose fees, dates and rules the test may change: the year is far off, so the clock doesn't matter.
 */
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

/** Creates students of a school in an earlier season, as entered then. Returns their ids. */
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
      students.map((student) => ({
        school_id: teacher.schoolId,
        season: label,
        class_id: student.classId ?? 6,
        section: student.section ?? 'A',
        roll_no: student.rollNo ?? ++lastRoll,
        name: student.name,
        name_key: foldName(student.name),
        parent_mobile: student.mobile ?? '',
        parent_email: student.parentEmail ?? '',
        letters: student.letters ?? 'M,S',
        subject_names: student.subjects ?? 'Mathematics,Science',
        cb: student.cb ?? '',
        active: student.active ?? true,
        paid: student.active ?? true,
        created_at: aDay,
        updated_at: aDay,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

type Entry = Partial<BodyOf<typeof saveStudentDetails>>

/** Returns a mobile number that no other test uses. */
export const aMobile = () => `9${randomInt(1e8, 1e9)}`

/**
 * Creates students with the same parent's mobile, entered by a teacher of their own school (or `teacher`), with the
 * link and code that the school would print.
 */
export async function aFamily(
  server: TestServer,
  children: Entry[] = [{}],
  teacher?: { token: string; schoolId: number },
) {
  const { db, keys } = server.deps
  const by = teacher ?? (await aTeacher())
  const mobile = aMobile()
  const ids: number[] = []
  for (const child of children) {
    const entered = await anEnteredStudent(server, by, {
      parentName: 'Hemant Namunawala',
      parentEmailId: `f${mobile}@family.example`,
      parentMobileNo: mobile,
      ...child,
    })
    ids.push(entered.id)
  }
  const link = await db
    .selectFrom('family_links as l')
    .innerJoin('students as st', 'st.family_link_id', 'l.id')
    .select(['l.id', 'l.access_code_sealed'])
    .where('st.id', '=', ids[0] ?? 0)
    .executeTakeFirstOrThrow()
  const code = unseal(keys, link.access_code_sealed)
  return { teacher: by, schoolId: by.schoolId, ids, id: ids[0] ?? 0, groupId: link.id, code, mobile }
}

/** Does the same and enters the access code: returns the family's token too. */
export async function aVisitingFamily(server: TestServer, children?: Entry[]) {
  const family = await aFamily(server, children)
  const { groupId, code } = family
  const body = await server.ask(verifyFamilyCode, { groupId, code })
  return { ...family, token: body.token }
}

const farOff = perDatabase(() => aSeasonOfItsOwn())

interface Traits {
  subjectName?: string
  /** Uses a season whose dates and rules the test may change */
  ownSeason?: boolean
}

/** Creates a school with one paid student, in a season whose exams are far off, so that its date can be chosen. */
export async function aSchoolThatMayChoose(server: TestServer, traits: Traits = {}) {
  const { subjectName = 'Mathematics', ownSeason = false } = traits
  const season = await (ownSeason ? aSeasonOfItsOwn() : farOff())
  const teacher = await aTeacher()
  const student = await anEnteredStudent(server, teacher, { FYear: season, subjectName, cb: '' })
  await changeRows('students', { id: student.id }, { paid: true })
  return { season, teacher, student, subject: await subjectOf(server, teacher, season) }
}

/** Returns the first card of the exam date page. */
export async function subjectOf(
  server: TestServer,
  teacher: { token: string },
  season: Season,
): Promise<ExamDateSubject & { firstDateId: number; secondDateId: number }> {
  const body = await server.ask(getExamDates, { FYear: season }, teacher)
  const subject = body.data?.[0]
  if (!subject?.firstDateId || !subject.secondDateId) throw new Error(`no dates: ${JSON.stringify(body)}`)
  return { ...subject, firstDateId: subject.firstDateId, secondDateId: subject.secondDateId }
}

/** Creates a school with this many paid students of Computer Science, which is taken online. */
export async function aWaitingSchool(count = 2) {
  const teacher = await aTeacher()
  const { code } = await findRow('schools', { id: teacher.schoolId })
  const students = []
  for (let n = 0; n < count; n++) {
    const student = await aStudent({ ...teacher, letters: ['K'] })
    const exam_roll_no = `${code}-07-${n}`
    await changeRows('students', { id: student.id }, { paid: true, exam_roll_no })
    students.push({ ...student, exam_roll_no })
  }
  return { teacher, code, students }
}
