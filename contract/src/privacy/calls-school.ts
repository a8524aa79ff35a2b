import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, text } from '../fields.ts'
import { sentences } from '../sentences.ts'
import { requestKinds, requestStates } from './calls.ts'

/**
 * Requests about children's data that a parent has told the school of. The foundation answers them; the school sees those
 * that it has entered itself, how far they are and until when the law wants an answer, and never the data.
 */

export const whoRequired = sentences.requestWho

const line = z.object({
  id: z.int(),
  version: z.int(),
  kind: z.enum(requestKinds),
  /** Empty once the child's data is erased */
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  FYear: z.string(),
  words: z.string(),
  askedBy: z.string(),
  askedAt: z.string(),
  /** Last day of the law's clock, `2026-12-05` */
  dueOn: z.string(),
  late: z.boolean(),
  state: z.enum(requestStates),
  /** Why it was declined */
  decision: z.string(),
  decidedAt: z.nullable(z.string()),
  can: z.object({ withdraw: allowance }),
})
export type SchoolDataRequest = z.output<typeof line>

export const schoolDataRequests = endpoint('GET /api/ManageStudent/GetDataRequests', {
  summary: "Requests about children's data that the school has entered, the open ones first, 50 to a page.",
  query: z.strictObject({ page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(line), total: z.int(), pageSize: z.int(), open: z.int() }),
})

export const schoolAskForm = z.strictObject({
  studentId: bodyId,
  kind: z.enum(requestKinds),
  words: text(whoRequired, 1000),
  /** How the foundation reaches the parent */
  reach: optionalText(200),
})

export const askDataAsSchool = endpoint('POST /api/ManageStudent/AskForFamily', {
  summary: "Enters what a parent has asked about a child's data; a second open one of its kind is refused.",
  body: schoolAskForm,
  answer: z.object({ id: z.int() }),
})

export const withdrawDataRequest = endpoint('POST /api/ManageStudent/WithdrawDataRequest', {
  summary: 'Takes back a request that the school has entered, while the foundation has not checked it.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})
