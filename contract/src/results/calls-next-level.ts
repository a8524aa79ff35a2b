import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, seasonLabel } from '../fields.ts'

/** Invitations to the next level as a school sees them: its own children, whom it confirms or declines until a day. */

export const invitationAnswers = ['yes', 'no'] as const
export type InvitationAnswer = (typeof invitationAnswers)[number]

const invitedChild = z.object({
  studentId: z.int(),
  studentName: z.string(),
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  nioRollNo: z.string(),
  /** Taken back by the foundation: nothing to answer any more */
  withdrawn: z.boolean(),
  answer: z.enum(['', 'yes', 'no']),
  note: z.string(),
  answeredBy: z.string(),
  answeredAt: z.nullable(z.string()),
})
export type InvitedChild = z.output<typeof invitedChild>

const invitations = z.object({
  eventYearId: z.int(),
  subjectName: z.string(),
  eventLetter: z.string(),
  /** The level that is invited to */
  level: z.int(),
  /** `2027-02-10`, until the end of that day */
  answerBy: z.string(),
  daysLeft: z.int(),
  /** What the foundation says beside it */
  note: z.string(),
  /** Days of the exam of that level, where the season has it already */
  examDates: z.array(z.string()),
  children: z.array(invitedChild),
  can: z.object({ answer: allowance }),
})
export type SchoolInvitations = z.output<typeof invitations>

export const schoolInvitations = endpoint('GET /api/ManageResult/Get_Invitations', {
  summary: 'The children of the own school that are invited to the next level, subject by subject.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(invitations) }),
})

export const answerInvitations = endpoint('POST /api/ManageResult/Answer_Invitations', {
  summary:
    'Confirms or declines invited children of the own school, several at once; can be changed until the last day.',
  body: z.strictObject({
    eventYearId: bodyId,
    answers: z
      .array(
        z.strictObject({
          studentId: bodyId,
          answer: z.enum(invitationAnswers),
          /** Why not, for the foundation */
          note: optionalText(300),
        }),
      )
      .check(z.minLength(1), z.maxLength(1000)),
  }),
  answer: z.object({ answered: z.int() }),
})
