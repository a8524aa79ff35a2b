import { testDatabase } from './database.ts'
import { aTeacher } from './factories.ts'
import { aStudent } from './payments-factories.ts'

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
