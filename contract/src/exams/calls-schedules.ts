import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { queryId, seasonLabel } from '../fields.ts'

/** When each child takes an online olympiad (specification, sections 2.13, 3, 7). */

export const examStatuses = ['Not started', 'In progress', 'Completed', 'Missed'] as const
export const scheduleStatuses = ['Scheduled', 'Rescheduled', 'Cancelled'] as const

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
  /** Instants in UTC; screens show them in the +0530 zone */
  ExamSchedule_From: z.string(),
  ExamSchedule_To: z.string(),
  ExamStatus: z.enum(examStatuses),
  ScheduleStatus: z.enum(scheduleStatuses),
})
export type ExamSchedule = z.output<typeof examSchedule>

export const getOnlineExamSchedule = endpoint('GET /api/ManageSchool/GET_OnlineExamSchedule', {
  summary: "The online exams of a school's students in a season, the earliest first.",
  query: z.strictObject({ FYear: seasonLabel, SchId: z.optional(queryId) }),
  answer: z.object({ data: z.array(examSchedule) }),
})
