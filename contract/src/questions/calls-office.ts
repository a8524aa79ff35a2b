import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'
import { questionStates } from './calls.ts'

/** The office looks through the questions that teachers have sent in: accepts each, or declines it with a reason. */

const officeQuestion = z.object({
  id: z.int(),
  schoolId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  classId: z.int(),
  className: z.string(),
  eventLetter: z.string(),
  subjectName: z.string(),
  chapter: z.string(),
  question: z.string(),
  options: z.array(z.string()),
  answer: z.int(),
  status: z.enum(questionStates),
  reason: z.string(),
  sentBy: z.string(),
  creationDate: z.string(),
  /** Who decided, and when; empty and null before */
  reviewedBy: z.string(),
  reviewedAt: z.nullable(z.string()),
  assignee,
  version: z.int(),
})
export type OfficeQuestion = z.output<typeof officeQuestion>

const filters = {
  FYear: seasonLabel,
  status: z._default(z.enum(questionStates), 'sent'),
  letter: z._default(z.string().check(z.regex(/^[A-Z]?$/)), ''),
  classId: z._default(z.string().check(z.regex(/^\d{0,2}$/)), ''),
  search: optionalText(100),
  assigned: assignedFilter,
}

export const officeQuestions = endpoint('GET /api/office/questions/list', {
  summary:
    'Questions of teachers in a state, the oldest first while they wait, 20 to a page, with the counts of all states.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(officeQuestion),
    total: z.int(),
    pageSize: z.int(),
    counts: z.record(z.string(), z.int()),
    /** By the id of a question: how many other schools have sent the same text for its class and subject */
    same: z.record(z.string(), z.int()),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportQuestions = endpoint('POST /api/office/questions/export', {
  summary: 'All questions in a state that the filters leave, with options and answer, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

/** Refusals: not_found, questions.reviewed. */
export const acceptQuestion = endpoint('POST /api/office/questions/accept', {
  summary: 'Accepts a question that waits.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})

export const declineQuestion = endpoint('POST /api/office/questions/decline', {
  summary: 'Declines a question that waits, with the reason that its school reads; it may be sent again.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason: text(messages.reasonRequired, 500) }),
})

/** As many as one page shows. */
export const mostQuestions = 20

const several = z
  .array(z.strictObject({ id: bodyId, version: bodyId }))
  .check(z.minLength(1), z.maxLength(mostQuestions))

const severalDecided = z.object({
  done: z.array(z.object({ id: z.int() })),
  /** What could not be done, and why */
  refused: z.array(z.object({ id: z.int(), message: z.string() })),
})

export const acceptQuestions = endpoint('POST /api/office/questions/acceptMany', {
  summary: 'Accepts these questions, each by itself; one that was decided meanwhile is told and left.',
  body: z.strictObject({ questions: several }),
  answer: severalDecided,
})

export const declineQuestions = endpoint('POST /api/office/questions/declineMany', {
  summary:
    'Declines these questions, each by itself, all for one reason that their schools read; one that was decided meanwhile is told and left.',
  body: z.strictObject({ questions: several, reason: text(messages.reasonRequired, 500) }),
  answer: severalDecided,
})
