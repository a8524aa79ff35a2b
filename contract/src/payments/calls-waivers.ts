import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, schoolName, seasonLabel, studentInClass, text } from '../fields.ts'
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
  ...studentInClass,
  subjects: z.string(),
  state: z.enum(waiverStates),
  /** The waived amount, gross less the school's share: the current one until it is decided, then as decided */
  amount: z.number(),
  /** The amount on the day it was asked for; null if it is the same */
  amountAsked: z.nullable(z.number()),
  reason: z.string(),
  evidenceName: z.string(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  decision: z.string(),
  decidedAt: z.nullable(z.string()),
})
export type WaiverLine = z.output<typeof line>

export const askWaiver = endpoint('POST /api/ManageStudent/AskWaiver', {
  summary: "A school requests a waiver of a student's registration fee.",
  fileField: 'attechment',
  bodyLimit,
  body: z.strictObject({ studentId: bodyId, ...requestFields }),
  answer: z.object({ id: z.int() }),
})

export const schoolWaivers = endpoint('GET /api/ManageStudent/GetWaivers', {
  summary: "A school's waiver requests of a season with their outcome, newest first.",
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(z.extend(line, { can: z.object({ withdraw: allowance }) })) }),
})
export type SchoolWaiver = z.output<(typeof schoolWaivers)['answer']>['data'][number]

export const withdrawWaiver = endpoint('POST /api/ManageStudent/WithdrawWaiver', {
  summary: "Withdraws a school's request that has not been decided.",
  body: z.strictObject({ id: bodyId, version: bodyId }),
})

export const askOfficeWaiver = endpoint('POST /api/office/waivers/ask', {
  summary: "The office requests a waiver of a student's registration fee; someone else decides.",
  fileField: 'attechment',
  bodyLimit,
  body: z.strictObject({ studentId: bodyId, ...requestFields }),
  answer: z.object({ id: z.int() }),
})

const officeLine = z.object({
  ...line.shape,
  FYear: z.string(),
  schId: z.int(),
  ...schoolName,
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
  summary: 'Waivers of a season in one state, pending ones oldest first; 50 a page.',
  query: z.strictObject({ ...waiverFilters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(officeLine),
    total: z.int(),
    pageSize: z.int(),
    counts: z.object({ asked: z.int(), approved: z.int(), declined: z.int() }),
  }),
})

export const exportWaivers = endpoint('POST /api/office/waivers/export', {
  summary: 'All waivers of a season that match the filters, as a spreadsheet.',
  body: z.strictObject({ ...waiverFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const waiverEvidence = endpoint('GET /api/office/waivers/evidence', {
  summary: 'The evidence for a waiver, an image or PDF; or one of its pages as an image.',
  query: shownFileQuery,
  answers: 'file',
})

const decision = { id: bodyId, version: bodyId }

export const approveWaiver = endpoint('POST /api/office/waivers/approve', {
  summary:
    'Approves a waiver: the student counts as paid and gets an exam roll no. Not by the person who requested it.',
  /** The amount shown; if it has changed, the call refuses with `waivers.amount_changed` and the new `amount`. */
  body: z.strictObject({ ...decision, amount: z.number().check(z.minimum(0), z.maximum(10_000_000)) }),
})

export const declineWaiver = endpoint('POST /api/office/waivers/decline', {
  summary: 'Declines a waiver, with a reason shown to the school.',
  body: z.strictObject({ ...decision, reason: text(messages.reasonRequired, 500) }),
})
