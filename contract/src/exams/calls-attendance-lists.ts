import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'

/** Who sat an exam, as the school enters it from the exam day on: all of a class list but those who were absent. */

/** Why a school can't enter attendance now; each is a code of errors.ts. */
export const attendanceReasons = ['attendance.too_early', 'attendance.closed'] as const

const attendanceClass = z.object({
  classId: z.int(),
  className: z.string(),
  /** Paid students of the school in the event and the class */
  students: z.int(),
  /** Null until the list is entered */
  absent: z.nullable(z.int()),
  savedAt: z.nullable(z.string()),
  /** 0 until the list is entered */
  version: z.int(),
})

const attendanceEvent = z.object({
  eventManagementId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examLevel: z.int(),
  /** The date that the school has chosen, else the last one of the event */
  examDate: z.nullable(z.string()),
  can: z.union([z.literal(true), z.enum(attendanceReasons)]),
  classes: z.array(attendanceClass),
})
export type AttendanceEvent = z.output<typeof attendanceEvent>

export const attendanceEvents = endpoint('GET /api/ManageSchool/Get_Attendance', {
  summary: 'The events of a season that the school takes, with the class lists and what was entered of each.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(attendanceEvent) }),
})

export const attendanceList = endpoint('GET /api/ManageSchool/Get_Attendance_List', {
  summary: 'The students of one class list, all present until somebody is marked absent.',
  query: z.strictObject({ eventManagementId: queryId, classId: queryId }),
  answer: z.object({
    version: z.int(),
    students: z.array(
      z.object({
        studentId: z.int(),
        studentName: z.string(),
        section: z.string(),
        rollNo: z.int(),
        nioRollNo: z.string(),
        absent: z.boolean(),
      }),
    ),
  }),
})

export const saveAttendance = endpoint('POST /api/ManageSchool/Save_Attendance', {
  summary: 'Enters one class list, or several at once: who was absent; all others were present.',
  body: z.strictObject({
    lists: z
      .array(
        z.strictObject({
          eventManagementId: bodyId,
          classId: bodyId,
          /** Of the list that was shown; 0 where nothing was entered */
          version: z.int().check(z.minimum(0), z.maximum(1_000_000)),
          absent: z.array(bodyId).check(z.maxLength(5_000)),
        }),
      )
      .check(z.minLength(1, 'Please choose at least one class.'), z.maxLength(200)),
  }),
})
