import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'

/** Exam dates: an offline event has two, and each school chooses one (specification, sections 2.14, 3, 7). */

/** Why a school can't choose a date now; codes of errors.ts. */
const dateReasons = ['exam.no_dates', 'exam.no_students', 'exam.unpaid', 'exam.too_late'] as const
export type DateReason = (typeof dateReasons)[number]

const day = z.nullable(z.string())

const dateChange = z.object({
  /** An instant */
  at: z.string(),
  /** Name of the user who chose; empty for the foundation */
  by: z.string(),
  from: day,
  to: day,
})
export type DateChange = z.output<typeof dateChange>

/** An event the school takes part in, with its exam dates. Days are in IST, `2026-12-03`. */
const examDateSubject = z.object({
  /** The school's participation */
  eventManagementId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examLevel: z.int(),
  /** The chosen date; null until then */
  examDate: day,
  examDateId: z.nullable(z.int()),
  firstDateId: z.nullable(z.int()),
  firstDate: day,
  secondDateId: z.nullable(z.int()),
  secondDate: day,
  version: z.int(),
  can: z.union([z.literal(true), z.enum(dateReasons)]),
  /** The school's active students in the event, how many are paid, and how many are being verified */
  totalStudent: z.int(),
  paidStudent: z.int(),
  waitingStudent: z.int(),
  /** Students with nothing to pay who are not paid yet: they count as paid once the list is signed off */
  freeStudent: z.int(),
  /** Last day for choosing or changing the date */
  until: day,
  /** The latest changes, newest first, at most ten */
  history: z.array(dateChange),
})
export type ExamDateSubject = z.output<typeof examDateSubject>

export const getExamDates = endpoint('GET /api/ManageSchool/GetParticipateSubjectForChangeExamDate', {
  summary: 'The offline events a school takes part in, each with its two dates and the chosen one.',
  query: z.strictObject({ FYear: seasonLabel, schCode: z.optional(z.string().check(z.maxLength(20))) }),
  answer: z.object({ data: z.array(examDateSubject) }),
})

/** A missing choice arrives as an empty value, 0 or not at all, and has its own message. */
const noDate = z.literal('')

export const setExamDateGet = endpoint('GET /api/ManageSchool/SetExamDate', {
  summary: 'Chooses one of the two exam dates of an event for the school.',
  query: z.strictObject({ eventManagementId: queryId, examDateId: z.optional(z.union([queryId, noDate])) }),
})

export const setExamDate = endpoint('POST /api/ManageSchool/SetExamDate', {
  summary: "The same; with the version that was shown, someone else's change is not overwritten.",
  body: z.strictObject({
    eventManagementId: bodyId,
    examDateId: z.optional(z.nullable(z.union([bodyId, noDate]))),
    /** The version that was shown; if left out, any version */
    version: z.optional(bodyId),
  }),
})

/** When each student takes an online olympiad (specification, sections 2.13, 3, 7). */

const examStatuses = ['Not started', 'In progress', 'Completed', 'Missed'] as const
const scheduleStatuses = ['Scheduled', 'Rescheduled', 'Cancelled'] as const

const examSchedule = z.object({
  scheduleId: z.int(),
  StudentName: z.string(),
  ClassId: z.int(),
  Section: z.string(),
  RollNo: z.int(),
  /** Mother's or father's name */
  M_F_Name: z.string(),
  Email: z.string(),
  EventLetter: z.string(),
  subjectName: z.string(),
  /** Instants in UTC; screens show them in IST (+0530) */
  ExamSchedule_From: z.string(),
  ExamSchedule_To: z.string(),
  ExamStatus: z.enum(examStatuses),
  ScheduleStatus: z.enum(scheduleStatuses),
})
export type ExamSchedule = z.output<typeof examSchedule>

export const getOnlineExamSchedule = endpoint('GET /api/ManageSchool/GET_OnlineExamSchedule', {
  summary: "The online exams of a school's students in a season, earliest first.",
  query: z.strictObject({ FYear: seasonLabel, SchId: z.optional(queryId) }),
  answer: z.object({ data: z.array(examSchedule) }),
})
