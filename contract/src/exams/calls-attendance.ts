import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel } from '../fields.ts'

/** What an exam needs on paper: attendance sheets, lists of answer sheets, admit cards. */

export const paperKinds = ['attendance', 'answers', 'admit'] as const
export type PaperKind = (typeof paperKinds)[number]

/** `classes`: a PDF for each class, of all schools; `schools`: a PDF for each school, in one ZIP. */
export const paperShapes = ['classes', 'schools'] as const
export type PaperShape = (typeof paperShapes)[number]

/** So long the files of a job can be fetched, counted from its start. */
export const paperHours = 24

/** Most students of one file. */
export const mostPaperStudents = 100_000
/** Up to so many are printed at once; more are a job. */
export const atOncePaperStudents = 1_500

const classChosen = z._default(z.string().check(z.regex(/^\d{0,2}$/)), '')

export const paperFilters = {
  FYear: seasonLabel,
  eventYearId: bodyId,
  /** Words of a school's name, city or code */
  search: optionalText(100),
  state: optionalText(100),
  classId: classChosen,
}

const paperSchool = z.object({
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  city: z.string(),
  state: z.string(),
  /** Paid entries, and those among them without an exam roll number yet */
  students: z.int(),
  numberless: z.int(),
  classes: z.int(),
  /** The date that the school has chosen, `2026-12-05`; null before, and for online olympiads */
  examDate: z.nullable(z.string()),
})
export type PaperSchool = z.output<typeof paperSchool>

export const officePaperSchools = endpoint('GET /api/office/exams/papers', {
  summary:
    'The schools that take an olympiad with their paid students, 50 to a page, and the sums of all of them.',
  query: z.strictObject({
    FYear: seasonLabel,
    eventYearId: queryId,
    search: optionalText(100),
    state: optionalText(100),
    classId: classChosen,
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(paperSchool),
    total: z.int(),
    pageSize: z.int(),
    students: z.int(),
  }),
})

/** Papers of one school, at once. POST: names of children leave the house, which leaves a line in the audit trail. */
export const printPapers = endpoint('POST /api/office/exams/print', {
  summary: 'Attendance sheets, answer-sheet lists or admit cards of one school as a PDF.',
  body: z.strictObject({
    FYear: seasonLabel,
    eventYearId: bodyId,
    schoolId: bodyId,
    classId: classChosen,
    kind: z.enum(paperKinds),
  }),
  answers: 'file',
})

export const startPapers = endpoint('POST /api/office/exams/start', {
  summary:
    'The same for every school that the filters leave, made by a job: one PDF for each class, or one ZIP with a PDF for each school.',
  body: z.strictObject({
    ...paperFilters,
    kind: z.enum(paperKinds),
    as: z._default(z.enum(paperShapes), 'classes'),
  }),
  answer: z.object({ jobId: z.string() }),
})

const paperFile = z.object({
  /** 0: the ZIP of all schools */
  classId: z.int(),
  name: z.string(),
  students: z.int(),
  bytes: z.int(),
})

const paperJob = z.object({
  jobId: z.string(),
  kind: z.enum(paperKinds),
  as: z.enum(paperShapes),
  /** Until then its files can be fetched */
  until: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  /** Students */
  done: z.int(),
  total: z.int(),
  error: z.nullable(z.string()),
  /** What is ready to be fetched, class by class; the ZIP when all schools are in it */
  files: z.array(paperFile),
})
export type PaperJob = z.output<typeof paperJob>

export const paperJobState = endpoint('GET /api/office/exams/job', {
  summary: 'How far the papers of many schools are, and which classes are ready; the newest of the last day.',
  answer: z.object({ job: z.nullable(paperJob) }),
})

const jobId = z.string().check(z.maxLength(40))

export const cancelPapers = endpoint('POST /api/office/exams/cancelJob', {
  summary: 'Stops the making of papers; the classes that are ready stay.',
  body: z.strictObject({ jobId }),
})

export const paperFileOf = endpoint('POST /api/office/exams/file', {
  summary: 'One class of the papers that a job has made, or (0) its ZIP as it is put together.',
  body: z.strictObject({ jobId, classId: bodyId }),
  answers: 'file',
})

/** A school prints its own, for an olympiad that it takes part in. */
export const schoolPapers = endpoint('POST /api/ManageSchool/ExamPapers', {
  summary: "Attendance sheets, answer-sheet lists or admit cards of the school's own students as a PDF.",
  body: z.strictObject({ eventManagementId: bodyId, schId: z.optional(bodyId), kind: z.enum(paperKinds) }),
  answers: 'file',
})

/** Who sat an exam, as the school enters it from the exam day on: all of a class list but those who were absent. */

/** Why a school can't enter attendance now; each is a code of errors.ts. */
const attendanceReasons = ['attendance.too_early', 'attendance.scheduled', 'attendance.closed'] as const

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
