import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, jobProgress, optionalText, pages, queryId, schoolName, seasonLabel } from '../fields.ts'

/** Printed papers of an exam: attendance sheets, lists of answer sheets, admit cards. */

export const paperKinds = ['attendance', 'answers', 'admit'] as const
export type PaperKind = (typeof paperKinds)[number]

/** `classes`: a PDF for each class, of all schools; `schools`: a PDF for each school, in one ZIP. */
export const paperShapes = ['classes', 'schools'] as const
export type PaperShape = (typeof paperShapes)[number]

/** How long a job's files can be downloaded, in hours from the start of the job. */
export const paperHours = 24

/** Most students in one file. */
export const maxPaperStudents = 100_000
/** Up to this number of students are printed at once; more need a background job. */
export const maxImmediatePaperStudents = 1_500

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
  ...schoolName,
  city: z.string(),
  state: z.string(),
  /** Paid entries, and how many of them have no exam roll no yet */
  students: z.int(),
  numberless: z.int(),
  classes: z.int(),
  /** The date the school has chosen, `2026-12-05`; null until then and for online olympiads */
  examDate: z.nullable(z.string()),
})
export type PaperSchool = z.output<typeof paperSchool>

export const officePaperSchools = endpoint('GET /api/office/exams/papers', {
  summary: 'The schools that take an olympiad with their paid students, 50 a page, and the totals.',
  query: z.strictObject({
    FYear: seasonLabel,
    eventYearId: queryId,
    search: optionalText(100),
    state: optionalText(100),
    classId: classChosen,
    page: z._default(queryId, 1),
  }),
  answer: z.object({ data: z.array(paperSchool), ...pages, students: z.int() }),
})

/** Prints the papers of one school at once. POST, because students' names leave the portal, which is logged. */
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
    'Prints the papers of all schools that match the filters, as a background job: one PDF for each class, or a ZIP with a PDF for each school.',
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
  /** Until when its files can be downloaded */
  until: z.string(),
  /** Numbers of students */
  ...jobProgress,
  /** Files that are ready, by class; the ZIP once it contains all schools */
  files: z.array(paperFile),
})
export type PaperJob = z.output<typeof paperJob>

export const paperJobState = endpoint('GET /api/office/exams/job', {
  summary:
    'Progress of printing for many schools, and the classes that are ready; by default the newest job of the last day.',
  answer: z.object({ job: z.nullable(paperJob) }),
})

const jobId = z.string().check(z.maxLength(40))

export const cancelPapers = endpoint('POST /api/office/exams/cancelJob', {
  summary: 'Stops printing; classes that are ready stay available.',
  body: z.strictObject({ jobId }),
})

export const paperFileOf = endpoint('POST /api/office/exams/file', {
  summary: 'One class from a job, or (0) its ZIP, streamed.',
  body: z.strictObject({ jobId, classId: bodyId }),
  answers: 'file',
})

/** A school prints its own papers, for an olympiad it takes part in. */
export const schoolPapers = endpoint('POST /api/ManageSchool/ExamPapers', {
  summary: "Attendance sheets, answer-sheet lists or admit cards of the school's own students as a PDF.",
  body: z.strictObject({ eventManagementId: bodyId, schId: z.optional(bodyId), kind: z.enum(paperKinds) }),
  answers: 'file',
})

/** Attendance of an exam, which the school enters from the exam day on by listing the absent students. */

/** Why a school can't enter attendance now; codes of errors.ts. */
const attendanceReasons = ['attendance.too_early', 'attendance.scheduled', 'attendance.closed'] as const

const attendanceClass = z.object({
  classId: z.int(),
  className: z.string(),
  /** The school's paid students in this event and class */
  students: z.int(),
  /** Null until attendance is entered */
  absent: z.nullable(z.int()),
  /** How many more students are on the list than when attendance was entered: their payment was verified later, say */
  added: z.int(),
  savedAt: z.nullable(z.string()),
  /** 0 until attendance is entered */
  version: z.int(),
})

const attendanceEvent = z.object({
  eventManagementId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examLevel: z.int(),
  /** The date the school has chosen, otherwise the event's last date */
  examDate: z.nullable(z.string()),
  can: z.union([z.literal(true), z.enum(attendanceReasons)]),
  classes: z.array(attendanceClass),
})
export type AttendanceEvent = z.output<typeof attendanceEvent>

export const attendanceEvents = endpoint('GET /api/ManageSchool/Get_Attendance', {
  summary: 'The events the school takes in a season, with the class lists and their attendance.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(attendanceEvent) }),
})

export const attendanceList = endpoint('GET /api/ManageSchool/Get_Attendance_List', {
  summary: 'The students of a class list, all present until marked absent.',
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
  summary: 'Saves the absent students of one or several class lists; all others were present.',
  body: z.strictObject({
    lists: z
      .array(
        z.strictObject({
          eventManagementId: bodyId,
          classId: bodyId,
          /** Version of the list that was shown; 0 if nothing was entered */
          version: z.int().check(z.minimum(0), z.maximum(1_000_000)),
          absent: z.array(bodyId).check(z.maxLength(5_000)),
          /** How many students were shown; refuses with changed_meanwhile if the list has others now */
          students: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
        }),
      )
      .check(z.minLength(1, 'Please choose at least one class.'), z.maxLength(200)),
  }),
})
