import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { shownFileQuery } from './schemas.ts'

/**
 * Waivers: a student's registration fee need not be paid. A school or the office asks, with a reason and evidence; a
 * second person decides. Amounts in rupees.
 */

export const waiverStates = ['asked', 'approved', 'declined', 'withdrawn'] as const
export type WaiverState = (typeof waiverStates)[number]

const requestFields = {
  reason: text(messages.reasonRequired, 1000),
  /** The evidence as a data URL: a letter, a certificate */
  attechment: z.string(messages.evidenceRequired).check(z.minLength(1, messages.evidenceRequired)),
  attechmentName: optionalText(200),
}
export const waiverReason = requestFields.reason

/** Room for a file of 5 MB as a data URL. */
const bodyLimit = 8 * 1024 * 1024

const line = z.object({
  id: z.int(),
  version: z.int(),
  studentId: z.int(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  subjects: z.string(),
  state: z.enum(waiverStates),
  /** The waived amount, gross less the school's share: the current one until it is decided, then as decided */
  amount: z.number(),
  /** The amount on the day it was asked for; null if it is the same */
  amountAsked: z.nullable(z.number()),
  reason: z.string(),
  evidenceName: z.string(),
  /** `image/jpeg`, `image/png`, `application/pdf` */
  evidenceType: z.string(),
  askedBy: z.string(),
  askedAt: z.string(),
  decision: z.string(),
  decidedAt: z.nullable(z.string()),
})
export type WaiverLine = z.output<typeof line>

export const askWaiver = endpoint('POST /api/ManageStudent/AskWaiver', {
  summary: "A school asks that a child's registration fee be waived.",
  fileField: 'attechment',
  bodyLimit,
  body: z.strictObject({ studentId: bodyId, ...requestFields }),
  answer: z.object({ id: z.int() }),
})

export const schoolWaivers = endpoint('GET /api/ManageStudent/GetWaivers', {
  summary: 'What a school has asked to be waived in a season, the newest first, and what became of it.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({
    data: z.array(z.extend(line, { can: z.object({ withdraw: allowance }) })),
  }),
})
export type SchoolWaiver = z.output<(typeof schoolWaivers)['answer']>['data'][number]

export const withdrawWaiver = endpoint('POST /api/ManageStudent/WithdrawWaiver', {
  summary: 'Takes back what a school has asked for, while nobody has decided on it.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})

export const askOfficeWaiver = endpoint('POST /api/office/waivers/ask', {
  summary: "The office asks that a child's registration fee be waived; somebody else decides.",
  fileField: 'attechment',
  bodyLimit,
  body: z.strictObject({ studentId: bodyId, ...requestFields }),
  answer: z.object({ id: z.int() }),
})

const officeLine = z.object({
  ...line.shape,
  FYear: z.string(),
  schId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  /** Whether the office itself asked for it */
  byOffice: z.boolean(),
  decidedBy: z.string(),
  can: z.object({ decide: allowance }),
})
export type OfficeWaiver = z.output<typeof officeLine>

/** '': pending ones by waiting time, the others by the time of the decision */
export const waiverSorts = ['', 'amount', 'name', 'school'] as const
const waiverFilters = {
  FYear: seasonLabel,
  state: z._default(z.enum(waiverStates), 'asked'),
  /** Name of the student or the school, or the school's code */
  search: z._default(z.string().check(z.maxLength(100)), ''),
  sort: z._default(z.enum(waiverSorts), ''),
}

export const officeWaivers = endpoint('GET /api/office/waivers/list', {
  summary: 'Waivers of a season in one state, the oldest first while they wait; 50 to a page.',
  query: z.strictObject({
    ...waiverFilters,
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(officeLine),
    total: z.int(),
    pageSize: z.int(),
    counts: z.object({ asked: z.int(), approved: z.int(), declined: z.int() }),
  }),
})

export const exportWaivers = endpoint('POST /api/office/waivers/export', {
  summary: 'The waivers of a season that the filters leave, all of them, as a spreadsheet.',
  body: z.strictObject({ ...waiverFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const waiverEvidence = endpoint('GET /api/office/waivers/evidence', {
  summary: 'What a waiver was asked for with: a picture, or a PDF; or one page of it as a picture.',
  query: shownFileQuery,
  answers: 'file',
})

const decision = { id: bodyId, version: bodyId }

export const approveWaiver = endpoint('POST /api/office/waivers/approve', {
  summary: 'Waives the fee: the child counts as paid and gets its exam roll no. Not by whoever has asked.',
  /** The amount shown; if it has changed, the call refuses with `waivers.amount_changed` and the new `amount`. */
  body: z.strictObject({ ...decision, amount: z.number().check(z.minimum(0), z.maximum(10_000_000)) }),
})

export const declineWaiver = endpoint('POST /api/office/waivers/decline', {
  summary: 'Does not waive the fee, with the reason that the school reads.',
  body: z.strictObject({ ...decision, reason: text(messages.reasonRequired, 500) }),
})
