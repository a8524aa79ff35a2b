import { type ExamDateSubject, getExamDates } from '@podium/contract/exams/calls'
import type { Season } from '@podium/contract/season'
import { perDatabase, testDatabase } from './database.ts'
import { aTeacher } from './factories.ts'
import { aStudent } from './payments-factories.ts'
import type { TestServer } from './server.ts'
import { anEnteredStudent, aSeasonOfItsOwn } from './students-factories.ts'

const farOff = perDatabase(() => aSeasonOfItsOwn())

interface Traits {
  subjectName?: string
  /** A season whose dates and rules the test may change */
  ownSeason?: boolean
}

/** A school with one student, paid for, in a season whose exams are far off: its date can be chosen. */
export async function aSchoolThatMayChoose(server: TestServer, traits: Traits = {}) {
  const { subjectName = 'Mathematics', ownSeason = false } = traits
  const { db } = await testDatabase()
  const season = await (ownSeason ? aSeasonOfItsOwn() : farOff())
  const teacher = await aTeacher()
  const student = await anEnteredStudent(server, teacher, { FYear: season, subjectName, cb: '' })
  await db.updateTable('students').set({ paid: true }).where('id', '=', student.id).execute()
  return { season, teacher, student, subject: await subjectOf(server, teacher, season) }
}

/** The first card of the exam date page. */
export async function subjectOf(
  server: TestServer,
  teacher: { token: string },
  season: Season,
): Promise<ExamDateSubject & { firstDateId: number; secondDateId: number }> {
  const { body } = await server.call(getExamDates, { query: { FYear: season } }, teacher)
  const subject = body.data?.[0]
  if (!subject?.firstDateId || !subject.secondDateId) throw new Error(`no dates: ${JSON.stringify(body)}`)
  return { ...subject, firstDateId: subject.firstDateId, secondDateId: subject.secondDateId }
}

/** A school with so many paid students of Computer Science, which is taken online. */
export async function aWaitingSchool(students = 2) {
  const { db } = await testDatabase()
  const teacher = await aTeacher()
  const { code } = await db
    .selectFrom('schools')
    .select('code')
    .where('id', '=', teacher.schoolId)
    .executeTakeFirstOrThrow()
  const made = []
  for (let n = 0; n < students; n++) {
    const student = await aStudent({ ...teacher, letters: ['K'] })
    const exam_roll_no = `${code}-07-${n}`
    await db.updateTable('students').set({ paid: true, exam_roll_no }).where('id', '=', student.id).execute()
    made.push({ ...student, exam_roll_no })
  }
  return { teacher, code, students: made }
}
