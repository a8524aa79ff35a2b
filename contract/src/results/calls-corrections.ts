import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, text } from '../fields.ts'
import { sentences } from '../sentences.ts'
import { eventQuery } from './calls.ts'
import { page, pageSize } from './calls-anomalies.ts'

/** As many children as are corrected by hand at once; more come as a file. */
export const mostCorrections = 100

const cell = z.union(
  [z.literal(''), z.number().check(z.minimum(0, sentences.notMarks), z.maximum(99_999, sentences.notMarks))],
  sentences.notMarks,
)

/** A row as it is right, typed by hand. */
const rightRow = z.strictObject({
  nioRollNo: text('Roll No is required.', 60),
  present: z.boolean(),
  /** Marks by section, in the order of the event; all 0 for the absent. */
  marks: z.array(cell).check(z.maxLength(20)),
  /** Raw score with the weights of the right answers; the raw score where left out. */
  finalScore: z._default(cell, ''),
})

export const correctMarksRow = endpoint('POST /api/office/results/correctRow', {
  summary: 'Puts one odd row of a file of marks right before ranks are computed; it counts in this version.',
  body: z.strictObject({ setId: bodyId, anomalyId: bodyId, row: rightRow, note: optionalText(500) }),
})

export const searchCandidates = endpoint('GET /api/office/results/candidates', {
  summary: 'Paid students of an event by the exam roll no or the beginnings of words of a name, ten at most.',
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
    'Corrects single rows of the version that schools see: the next version, with all other marks as they are.',
  body: z.strictObject({
    eventYearId: bodyId,
    /** The schools whose results change read it. */
    reason: text('Please say why.', 300),
    rows: z
      .array(rightRow)
      .check(z.minLength(1, 'Please name at least one student.'), z.maxLength(mostCorrections)),
  }),
  answer: z.object({ setId: z.number(), version: z.number(), jobId: z.string() }),
})

export const resultOnRecord = endpoint('GET /api/office/results/onRecord', {
  summary: 'Who has a roll number in an event, with the marks of the version that schools see; null: nobody.',
  query: z.strictObject({ eventYearId: queryId, nioRollNo: text('Roll No is required.', 60) }),
  answer: z.object({
    data: z.nullable(
      z.object({
        studentName: z.string(),
        className: z.string(),
        section: z.string(),
        schCode: z.string(),
        schName: z.string(),
        /** Null where no version has marks of this child */
        result: z.nullable(
          z.object({
            present: z.boolean(),
            /** By section, in the order of the event */
            marks: z.array(z.number()),
            finalScore: z.number(),
          }),
        ),
      }),
    ),
  }),
})

/** What is told of a result when two versions are compared. */
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
  /** Null where the version before has no such result. */
  before: z.nullable(facts),
  /** Null where the corrected version has none any more. */
  after: z.nullable(facts),
})
export type ResultChange = z.infer<typeof change>

export const officeResultChanges = endpoint('GET /api/office/results/changes', {
  summary:
    'What a computed version changes against the one before it that schools have seen, result by result.',
  query: z.strictObject({ setId: queryId, page, pageSize }),
  answer: z.object({
    /** Null where there is none before it. */
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
    'The corrections of the released results of an event that changed results of the own school, newest first.',
  query: eventQuery,
  answer: z.object({ data: z.array(correction) }),
})
