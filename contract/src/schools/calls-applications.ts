import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, schoolName, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'

/** Schools waiting to be verified by the foundation's office. */

/** `asked`: the office is waiting for the applicant's answer to a question. */
const reviewState = z.enum(['submitted', 'asked', 'approved', 'rejected'])

const application = z.object({
  id: z.number(),
  version: z.number(),
  schName: z.string(),
  address: z.string(),
  city: z.string(),
  district: z.string(),
  state: z.string(),
  country: z.string(),
  pinCode: z.string(),
  phone: z.string(),
  udiseCode: z.string(),
  affiliationNo: z.string(),
  reviewState,
  reason: z.string(),
  submittedAt: z.string(),
  decidedAt: z.nullable(z.string()),
  /** The office's latest question and the applicant's answer; empty and null if there are none */
  question: z.string(),
  askedAt: z.nullable(z.string()),
  askedBy: z.string(),
  answer: z.string(),
  answeredAt: z.nullable(z.string()),
  applicantName: z.string(),
  applicantEmail: z.string(),
  applicantMobile: z.string(),
  applicantDesignation: z.string(),
  assignee,
})
export type Application = z.output<typeof application>

/** A registered school that may be the applicant's, with the evidence; strongest first. */
export const likelySchool = z.object({
  schId: z.number(),
  ...schoolName,
  address: z.string(),
  city: z.string(),
  district: z.string(),
  state: z.string(),
  pinCode: z.string(),
  phone: z.string(),
  udiseCode: z.string(),
  affiliationNo: z.string(),
  staffCount: z.number(),
  same: z.array(z.enum(['udise', 'affiliation', 'name', 'pin', 'phone', 'similar_name'])),
})
export type LikelySchool = z.output<typeof likelySchool>

export const listApplications = endpoint('GET /api/office/Applications', {
  summary: 'Applications by state, pending ones oldest first; 50 a page.',
  query: z.strictObject({
    state: z._default(reviewState, 'submitted'),
    search: optionalText(100),
    assigned: assignedFilter,
    page: z.optional(queryId),
  }),
  answer: z.object({
    data: z.array(application),
    total: z.number(),
    /** Counts by state, after search and assignment */
    counts: z.record(reviewState, z.number()),
  }),
})

/** POST, because it writes to the audit log. */
export const exportApplications = endpoint('POST /api/office/Applications/Export', {
  summary: 'All applications in a state that match the search, with the applicants, as a spreadsheet.',
  body: z.strictObject({
    state: reviewState,
    search: optionalText(100),
    assigned: assignedFilter,
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const getApplication = endpoint('GET /api/office/Application', {
  summary: 'An application with registered schools that may be the same.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({
    application,
    likely: z.array(likelySchool),
    /** The school an approved application has created or joined */
    school: z.nullable(z.object({ schId: z.number(), schCode: z.string() })),
    /** The code a new school would get */
    proposedCode: z.string(),
  }),
})

/** A new school's code, if the office chooses it. */
export const schoolCode = z.string().check(z.regex(/^[A-Z0-9]{4,12}$/, messages.schoolCodeInvalid))

export const approveApplication = endpoint('POST /api/office/Application/Approve', {
  summary: 'Joins the applicant to a registered school, or creates a new school with a new code.',
  body: z.strictObject({
    id: bodyId,
    version: bodyId,
    /** The registered school to join; if left out, a new one is created */
    schId: z.optional(bodyId),
    /** Code of the new school; if left out, the proposed one */
    schCode: z.optional(schoolCode),
  }),
  answer: z.object({ schId: z.number(), schCode: z.string() }),
})

export const rejectApplication = endpoint('POST /api/office/Application/Reject', {
  summary: 'Rejects an application with a reason shown to the applicant, who can submit the form again.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason: text(messages.reasonRequired, 500) }),
})

export const askBackApplication = endpoint('POST /api/office/Application/AskBack', {
  summary:
    'Asks the applicant for missing information; the form opens for the answer, which returns the application to the queue.',
  body: z.strictObject({ id: bodyId, version: bodyId, question: text(messages.questionBackRequired, 1000) }),
})
