import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, text } from '../fields.ts'

/** Rows of a page, at most 500. */
export const pageSize = z._default(
  z.pipe(
    z.string().check(z.regex(/^[0-9]{1,3}$/)),
    z.transform((digits: string) => Math.min(500, Math.max(1, Number(digits)))),
  ),
  100,
)
/** Pages count from 1. */
export const page = z._default(queryId, 1)

/** What can be wrong or odd in a file of marks. */
export const anomalyKinds = [
  'unknown_roll',
  'not_enrolled',
  'twice',
  'absent_marked',
  'above_maximum',
  'unreadable',
  'final_score',
  'zero_marks',
  'missing',
  'absent_reported',
  'present_reported',
] as const
export const anomalyKind = z.enum(anomalyKinds)
export type AnomalyKind = z.infer<typeof anomalyKind>

const anomaly = z.object({
  anomalyId: z.number(),
  /** Line of the file, 0 where the file has none (`missing`). */
  rowNo: z.number(),
  nioRollNo: z.string(),
  kind: anomalyKind,
  blocking: z.boolean(),
  /** What was done with the row: left out, taken as absent or as it is, which resolving accepts; or corrected by hand. */
  treatment: z.enum(['left_out', 'as_absent', 'kept', 'corrected']),
  /** What stood where: column, value, maximum, first row */
  column: z.string(),
  value: z.string(),
  note: z.string(),
  resolved: z.boolean(),
  resolvedBy: z.string(),
  resolvedAt: z.nullable(z.string()),
  resolution: z.string(),
  /** What was decided before and taken back, oldest first. */
  reopened: z.array(
    z.object({
      resolution: z.string(),
      by: z.string(),
      at: z.string(),
      reason: z.string(),
      reopenedBy: z.string(),
      reopenedAt: z.string(),
    }),
  ),
})

export const resultAnomalies = endpoint('GET /api/office/results/anomalies', {
  summary: 'What is wrong or odd in a version, page by page, with counts of each kind.',
  query: z.strictObject({
    setId: queryId,
    kind: z.optional(anomalyKind),
    open: z.optional(z.enum(['true', 'false'])),
    page,
    pageSize,
  }),
  answer: z.object({
    data: z.array(anomaly),
    total: z.number(),
    /** Whether the caller may take decisions back: true, or the code of the reason why not. */
    reopen: z.union([z.literal(true), z.string()]),
    kinds: z.array(z.object({ kind: anomalyKind, blocking: z.boolean(), open: z.number(), all: z.number() })),
  }),
})

export const resolveAnomalies = endpoint('POST /api/office/results/resolve', {
  summary: 'Accepts, with a note, what was done with the listed rows, or with all open ones of a kind.',
  body: z.strictObject({
    setId: bodyId,
    anomalyIds: z.optional(z.array(bodyId).check(z.maxLength(500))),
    kind: z.optional(anomalyKind),
    note: text('Please say why.', 500),
  }),
  answer: z.object({ resolved: z.number() }),
})

export const reopenAnomalies = endpoint('POST /api/office/results/reopen', {
  summary:
    'Takes decisions about odd rows back, with a reason, until the version is approved; a computed version has to be computed again.',
  body: z.strictObject({
    setId: bodyId,
    anomalyIds: z.array(bodyId).check(z.minLength(1, 'Please choose at least one row.'), z.maxLength(500)),
    reason: text('Please say why.', 500),
  }),
  answer: z.object({ reopened: z.number() }),
})

/** POST, because it leaves a line in the record: roll numbers of children leave the portal. */
export const exportAnomalies = endpoint('POST /api/office/results/exportAnomalies', {
  summary:
    'What is wrong or odd in a version as a spreadsheet, line by line, to be mended where the marks come from.',
  body: z.strictObject({
    setId: bodyId,
    kind: z.optional(anomalyKind),
    open: z.optional(z.boolean()),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})
