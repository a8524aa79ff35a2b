import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel, studentInClass } from '../fields.ts'
import { studentEntry } from './schemas.ts'

const can = z.object({ edit: allowance, delete: allowance, restore: allowance })

/** A student as the lists show it; amounts in rupees, subjects and books separated by commas. */
export const studentRow = z.object({
  id: z.int(),
  /** Same as `id`, under the name used by payments and families */
  individualRegId: z.int(),
  /** Same as `id` if there are books, otherwise 0 */
  bookRegId: z.int(),
  classId: z.int(),
  className: z.string(),
  studentName: z.string(),
  section: z.string(),
  rollNo: z.int(),
  parentName: z.string(),
  parentEmailId: z.string(),
  parentMobileNo: z.string(),
  subjectName: z.string(),
  /** Subject letters, separated by commas */
  eventLetter: z.string(),
  cb: z.string(),
  pyqp: z.string(),
  genex: z.string(),
  tb: z.string(),
  wb: z.string(),
  bookCount: z.int(),
  currency: z.string(),
  regAmount: z.number(),
  bookAmount: z.number(),
  school_Expenses: z.number(),
  book_school_Expenses: z.number(),
  /** The late fees included in regAmount */
  lateFee: z.number(),
  /** False if deleted */
  status: z.boolean(),
  /** Whether it is paid */
  paymentStatus: z.boolean(),
  /** Whether the registration fee is sent and being verified. Books may be paid or sent earlier */
  registrationSent: z.boolean(),
  version: z.int(),
  can,
})
export type StudentRow = z.output<typeof studentRow>

const anyText = z.optional(z.nullable(z.string().check(z.maxLength(200))))
/** 0, empty or absent for all classes. */
const anyClass = z.pipe(
  z.optional(z.nullable(z.union([bodyId, z.string().check(z.regex(/^\d{0,2}$/))]))),
  z.transform((typed: number | string | null | undefined) => Number(typed ?? 0)),
)

/** A name matches by its beginning or that of a word; a subject by name or letter; an empty filter matches all. */
export const getStudentDetails = endpoint('POST /api/ManageStudent/GetStudentDetails', {
  summary:
    "The school's students of a season, deleted ones included, in order of class, section and roll no.",
  body: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(bodyId),
    classId: anyClass,
    section: anyText,
    studentName: anyText,
    subjectName: anyText,
  }),
  answer: z.object({ data: z.array(studentRow) }),
})

/** Most students the palette shows. */
export const maxStudentsFound = 8

export const findStudentsByName = endpoint('GET /api/ManageStudent/FindStudents', {
  summary: `Active students of the own school by the beginning of a word of the name, at most ${maxStudentsFound}.`,
  query: z.strictObject({
    FYear: seasonLabel,
    studentName: z.string().check(z.minLength(2), z.maxLength(100)),
  }),
  answer: z.object({ data: z.array(z.object({ id: z.int(), ...studentInClass })) }),
})

/** A student who may be the same one: same name and class. */
const likelyDuplicate = z.object({ id: z.int(), ...studentInClass })

/**
 * On success the message is 'Details saved sucessfully'. Refuses with input.invalid (issues by field),
 * enrolment.duplicate (issue at `rollno`), enrolment.amounts_changed (with the new amounts beside the message),
 * enrolment.closed, enrolment.season_closed, enrolment.paid, enrolment.locked, enrolment.deleted, changed_meanwhile,
 * not_found.
 */
export const saveStudentDetails = endpoint('POST /api/ManageStudent/SaveStudentDetails', {
  summary: 'Enters a student, or changes an active and unpaid one. The server computes the amounts.',
  body: studentEntry,
  answer: z.object({ data: studentRow, likely: z.array(likelyDuplicate) }),
})

const which = { answer: z.object({ studentId: z.int(), version: z.int() }) }
const bodyWhich = z.strictObject({ studentId: bodyId, version: z.optional(bodyId) })

export const deleteStudent = endpoint('GET /api/ManageStudent/Delete_Student', {
  summary: 'Deletes an active and unpaid student; the row stays and is shown as deleted.',
  query: z.strictObject({ studentId: queryId, version: z.optional(queryId) }),
  ...which,
})

export const deleteStudentPost = endpoint('POST /api/ManageStudent/Delete_Student', {
  summary: 'The same as the GET call, for clients that only change data by POST.',
  body: bodyWhich,
  ...which,
})

export const restoreStudent = endpoint('POST /api/ManageStudent/RestoreStudent', {
  summary: 'Restores a deleted student, while the season and its events are open.',
  body: bodyWhich,
  ...which,
})

/** The school of a summary, by id or by code; the specification sends either as `schId`. */
const summaryQuery = z.strictObject({
  FYear: seasonLabel,
  schId: z.optional(z.string().check(z.maxLength(40))),
})

export const getParticipationSummary = endpoint('GET /api/ManageStudent/GetParticipation_Summary', {
  summary: 'How many active students of the school are in each subject, by class.',
  query: summaryQuery,
  answer: z.object({
    data: z.array(
      z.object({
        subjectName: z.string(),
        eventLetter: z.string(),
        totalStudent: z.int(),
        details: z.array(z.object({ classCode: z.string(), classId: z.int(), totalStudent: z.int() })),
      }),
    ),
  }),
})

export const getParticipationFinalSummary = endpoint(
  'GET /api/ManageStudent/GetParticipation_Final_Summary',
  {
    summary: 'The participation summary of any season; schId carries the school code.',
    query: summaryQuery,
    answer: z.object({
      data: z.array(
        z.object({
          subjectName: z.string(),
          eventLetter: z.string(),
          totalStudent: z.int(),
          details: z.array(z.object({ classCode: z.string(), classId: z.int(), studentCount: z.int() })),
        }),
      ),
    }),
  },
)

/** The students behind a count of the final summary. `classCode` is the class's id or its code. */
export const getStudentByClassAndSchool = endpoint(
  'POST /api/ManageStudent/Get_Student_By_Class_And_School',
  {
    summary: "The school's active students of one class in one subject.",
    body: z.strictObject({
      FYear: seasonLabel,
      eventLetter: anyText,
      schoolCode: z.optional(z.string()),
      classCode: z.union([bodyId, z.string().check(z.maxLength(20))]),
      subjectName: anyText,
    }),
    answer: z.object({
      data: z.array(
        z.object({ studentName: z.string(), section: z.string(), mobileNo: z.string(), email: z.string() }),
      ),
    }),
  },
)

/** State of a student's row, for filters and badges. */
export const studentStates = ['unpaid', 'locked', 'paid', 'deleted'] as const
export type StudentState = (typeof studentStates)[number]

/** Returns the state of the registration fee, as the payments page has it; `locked` means being verified. */
export function studentState(
  row: Pick<StudentRow, 'status' | 'paymentStatus' | 'registrationSent'>,
): StudentState {
  if (!row.status) return 'deleted'
  if (row.paymentStatus) return 'paid'
  return row.registrationSent ? 'locked' : 'unpaid'
}

/** POST, so that students' names are in no address and no log. */
export const exportStudents = endpoint('POST /api/ManageStudent/ExportStudents', {
  summary: 'The students that match the filters, as a spreadsheet.',
  body: z.extend(getStudentDetails.body, {
    format: z.enum(['xlsx', 'csv']),
    state: z.optional(z.enum(studentStates)),
    /** Only these of them */
    ids: z.optional(z.array(bodyId).check(z.maxLength(20_000))),
  }),
  answers: 'file',
})

const names = z.optional(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(50)))

/** Most students one call may change. */
const maxChanged = 500

/** A student's new values; fields left out stay. Lists are of letters or names. */
const change = z.strictObject({
  id: bodyId,
  /** Version of the row that was shown */
  version: bodyId,
  /** False deletes, true restores; the other fields are ignored then */
  active: z.optional(z.boolean()),
  section: z.optional(z.string().check(z.maxLength(20))),
  subjectName: names,
  cb: names,
  pyqp: names,
  geneX: names,
  tb: names,
  wb: names,
})
export type StudentChange = z.output<typeof change>

/**
 * Each student is changed as in the dialog, with the same checks, or refused: paid, being verified, closed, changed
 * meanwhile, roll no taken, subject not offered. Removing a subject also removes its books. Sending `before` to this
 * same call undoes the change.
 */
export const changeStudents = endpoint('POST /api/ManageStudent/ChangeStudents', {
  summary:
    'Changes section, subjects or books of several students, deletes or restores them; each is changed or refused on its own.',
  body: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(bodyId),
    students: z.array(change).check(z.minLength(1), z.maxLength(maxChanged)),
  }),
  answer: z.object({
    changed: z.int(),
    refused: z.array(z.object({ id: z.int(), studentName: z.string(), message: z.string() })),
    before: z.array(change),
  }),
})
