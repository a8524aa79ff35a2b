import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, schoolName, text } from '../fields.ts'
import { officeMessages } from '../office/messages.ts'
import { sentences } from '../sentences.ts'
import { eventQuery } from './calls.ts'

/** Rows per page, at most 500. */
export const pageSize = z._default(
  z.pipe(
    z.string().check(z.regex(/^[0-9]{1,3}$/)),
    z.transform((digits: string) => Math.min(500, Math.max(1, Number(digits)))),
  ),
  100,
)
/** Pages count from 1. */
export const page = z._default(queryId, 1)

/** Problems in a file of marks. */
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
  /** Line of the file, 0 if there is none (`missing`). */
  rowNo: z.number(),
  nioRollNo: z.string(),
  kind: anomalyKind,
  blocking: z.boolean(),
  /** What was done with the row: left out, taken as absent, kept (resolving accepts these), or corrected by hand. */
  treatment: z.enum(['left_out', 'as_absent', 'kept', 'corrected']),
  /** Where it is: column, value, maximum, first row */
  column: z.string(),
  value: z.string(),
  note: z.string(),
  /** The row's marks by section if its student was not found or one of them, or the final score, can't be right; otherwise none */
  marks: z.array(z.number()),
  resolved: z.boolean(),
  resolvedBy: z.string(),
  resolvedAt: z.nullable(z.string()),
  resolution: z.string(),
  /** Earlier decisions that were undone, oldest first. */
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
  summary: 'Problems in a version, page by page, with counts by kind.',
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
    /** Whether the caller may undo decisions: true, or the code of the reason they may not. */
    reopen: z.union([z.literal(true), z.string()]),
    kinds: z.array(z.object({ kind: anomalyKind, blocking: z.boolean(), open: z.number(), all: z.number() })),
  }),
})

export const resolveAnomalies = endpoint('POST /api/office/results/resolve', {
  summary: 'Accepts, with a note, how the listed rows, or all open ones of a kind, were treated.',
  body: z.strictObject({
    setId: bodyId,
    anomalyIds: z.optional(z.array(bodyId).check(z.maxLength(500))),
    kind: z.optional(anomalyKind),
    note: text(officeMessages.noteRequired, 500),
  }),
  answer: z.object({ resolved: z.number() }),
})

export const reopenAnomalies = endpoint('POST /api/office/results/reopen', {
  summary:
    'Undoes decisions about rows with problems, with a reason, until the version is approved; a computed version must be computed again.',
  body: z.strictObject({
    setId: bodyId,
    anomalyIds: z.array(bodyId).check(z.minLength(1, officeMessages.rowsRequired), z.maxLength(500)),
    reason: text(officeMessages.noteRequired, 500),
  }),
  answer: z.object({ reopened: z.number() }),
})

/** POST, because students' roll nos leave the portal, which is logged. */
export const exportAnomalies = endpoint('POST /api/office/results/exportAnomalies', {
  summary:
    'Problems in a version as a spreadsheet, line by line, to be corrected at the source of the marks.',
  body: z.strictObject({
    setId: bodyId,
    kind: z.optional(anomalyKind),
    open: z.optional(z.boolean()),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

/** Most students corrected by hand at once; more need a file. */
export const maxCorrections = 100

const cell = z.union(
  [z.literal(''), z.number().check(z.minimum(0, sentences.notMarks), z.maximum(99_999, sentences.notMarks))],
  sentences.notMarks,
)

/** A corrected row, typed by hand. */
const rightRow = z.strictObject({
  nioRollNo: text('Roll No is required.', 60),
  present: z.boolean(),
  /** Marks by section, in the event's order; all 0 for an absent student. */
  marks: z.array(cell).check(z.maxLength(20)),
  /** The score weighted by right answers; the raw score if left out. */
  finalScore: z._default(cell, ''),
})

export const correctMarksRow = endpoint('POST /api/office/results/correctRow', {
  summary: 'Corrects one row of a file of marks before ranks are computed; counts in this version.',
  body: z.strictObject({ setId: bodyId, anomalyId: bodyId, row: rightRow, note: optionalText(500) }),
})

export const searchCandidates = endpoint('GET /api/office/results/candidates', {
  summary: 'Paid students of an event by exam roll no or beginnings of words of the name, at most ten.',
  query: z.strictObject({ eventYearId: queryId, search: text('Please type a name or a roll no.', 60) }),
  answer: z.object({
    data: z.array(
      z.object({
        nioRollNo: z.string(),
        studentName: z.string(),
        className: z.string(),
        section: z.string(),
        schCode: z.string(),
      }),
    ),
  }),
})

export const correctResults = endpoint('POST /api/office/results/correct', {
  summary:
    'Corrects single rows of the version schools see, in a new version with all other marks unchanged.',
  body: z.strictObject({
    eventYearId: bodyId,
    /** Shown to the schools whose results change. */
    reason: text(officeMessages.noteRequired, 300),
    rows: z
      .array(rightRow)
      .check(z.minLength(1, officeMessages.studentsRequired), z.maxLength(maxCorrections)),
  }),
  answer: z.object({ setId: z.number(), version: z.number(), jobId: z.string() }),
})

export const resultOnRecord = endpoint('GET /api/office/results/onRecord', {
  summary:
    'The student with an exam roll no in an event, with the marks in the version schools see; null if there is none.',
  query: z.strictObject({ eventYearId: queryId, nioRollNo: text('Roll No is required.', 60) }),
  answer: z.object({
    data: z.nullable(
      z.object({
        studentName: z.string(),
        className: z.string(),
        section: z.string(),
        ...schoolName,
        /** Null if no version has marks of this student */
        result: z.nullable(
          z.object({
            present: z.boolean(),
            /** By section, in the event's order */
            marks: z.array(z.number()),
            finalScore: z.number(),
          }),
        ),
      }),
    ),
  }),
})

/** What is compared of a result between two versions. */
const facts = z.object({
  absent: z.boolean(),
  rawMarks: z.number(),
  marks: z.number(),
  classRank: z.nullable(z.number()),
  stateRank: z.nullable(z.number()),
  zonalRank: z.nullable(z.number()),
  olympiadRank: z.nullable(z.number()),
  medal: z.string(),
  prize: z.string(),
  award: z.string(),
  nextLevel: z.boolean(),
})
export type ResultFacts = z.infer<typeof facts>

const change = z.object({
  nioRollNo: z.string(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  /** Null if the earlier version has no such result. */
  before: z.nullable(facts),
  /** Null if the corrected version no longer has the result. */
  after: z.nullable(facts),
})
export type ResultChange = z.infer<typeof change>

export const officeResultChanges = endpoint('GET /api/office/results/changes', {
  summary: 'What a computed version changes against the last one schools have seen, result by result.',
  query: z.strictObject({ setId: queryId, page, pageSize }),
  answer: z.object({
    /** Null if there is no earlier version. */
    version: z.nullable(z.number()),
    data: z.array(z.extend(change, { schCode: z.string(), schName: z.string() })),
    total: z.number(),
  }),
})

export const correction = z.object({
  version: z.number(),
  reason: z.string(),
  releasedAt: z.string(),
  /** The first 500 of `count`. */
  changes: z.array(change),
  count: z.number(),
})

export const resultCorrections = endpoint('GET /api/ManageResult/Get_Corrections', {
  summary:
    "Corrections of an event's released results that changed results of the caller's school, newest first.",
  query: eventQuery,
  answer: z.object({ data: z.array(correction) }),
})
