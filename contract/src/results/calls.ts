import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, numeric, queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'
import { resultExplanation } from './schemas.ts'

/** Values of `action` of the four result pages: all rows, or only those with a medal, a prize, an award. */
export const resultActions = { all: undefined, medal: 2, prize: 3, award: 5 } as const

/**
 * A row of the results table, with the specification's names. Ranks are null and marks 0 for an absent student.
 * `level2` is filled for level 1 events and `level3` for level 2 events of subjects with a next level; otherwise empty.
 * `accessCode` stays empty: codes never leave the server.
 */
export const resultRow = z.object({
  resultId: z.string(),
  eventYearId: z.number(),
  classId: z.number(),
  className: z.string(),
  section: z.string(),
  nioRollNo: z.string(),
  studentName: z.string(),
  accessCode: z.literal(''),
  absent: z.boolean(),
  rawMarks: z.number(),
  marks: z.number(),
  finalClassRank: z.nullable(z.number()),
  finalStateRank: z.nullable(z.number()),
  zonalRank: z.nullable(z.number()),
  finalOlympiadRank: z.nullable(z.number()),
  /** '', 'Gold', 'Silver', 'Bronze' */
  medalNew: z.string(),
  /** The message of a prize, or the title of an award. */
  prize_Amount_Msg: z.string(),
  /** Rupees */
  prizeAmount: z.number(),
  award: z.string(),
  couponLink: z.string(),
  /** The result's public page: a path of this portal, used as it is. Empty for an absent student. */
  resultLink: z.string(),
  level2: z.enum(['YES', 'NO', '']),
  level3: z.enum(['YES', 'NO', '']),
})
export type ResultRow = z.infer<typeof resultRow>

export const resultEvents = endpoint('GET /api/ManageResult/Get_Event_For_Result', {
  summary: 'The subjects of a season, those with released results first.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({
    data: z.array(
      z.object({
        eventYearId: z.number(),
        subjectName: z.string(),
        eventLetter: z.string(),
        examLevel: z.number(),
        littleStar: z.boolean(),
        released: z.boolean(),
        /** Whether it has students of this school */
        mine: z.boolean(),
        /** Released, but withheld for this school */
        withheld: z.boolean(),
        /** Whether the column 'Eligible For Level-2/3' is shown */
        leadsOn: z.boolean(),
      }),
    ),
  }),
})

const levelUnknown = 'Exam level is 1 or 2.'

const action = z.pipe(
  z.pipe(
    z.union([z.number(), z.string()]),
    z.transform((typed: number | string) => (typed === '' ? typed : Number(typed))),
  ),
  z.union([z.literal(2), z.literal(3), z.literal(5), z.literal(0), z.literal('')]),
)

export const searchResults = endpoint('POST /api/ManageResult/Search_School_Result', {
  summary: "The released results of the caller's school in one subject.",
  body: z.strictObject({
    schCode: z.optional(z.string()),
    examLevel: z._default(z.pipe(numeric(levelUnknown), z.int().check(z.minimum(1), z.maximum(2))), 1),
    fyear: seasonLabel,
    eventYearId: z.pipe(
      numeric(messages.resultSubjectRequired),
      z.int(messages.resultSubjectRequired).check(z.minimum(1, messages.resultSubjectRequired)),
    ),
    eventLetter: z
      .string(messages.resultSubjectRequired)
      .check(z.minLength(1, messages.resultSubjectRequired), z.maxLength(4)),
    /** 0 means all */
    classId: z._default(z.pipe(numeric(messages.classRequired), bodyId), 0),
    /** 2 medal, 3 prize, 5 award; absent: all */
    action: z.optional(z.nullable(action)),
    /** For paging; without a limit all rows of the school are returned. */
    offset: z._default(bodyId, 0),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  }),
  answer: z.object({
    data: z.array(resultRow),
    total: z.number(),
    /** 'released'; 'awaited': not released yet; 'withheld' for this school, with a neutral `message`. */
    state: z.enum(['released', 'awaited', 'withheld']),
    version: z.nullable(z.number()),
    releasedAt: z.nullable(z.string()),
    maximumMarks: z.number(),
  }),
})

export const resultId = z.string().check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/))

export const explainResult = endpoint('GET /api/ManageResult/Why', {
  summary: "The reasons for a released result of the caller's school.",
  query: z.strictObject({ resultId }),
  answer: z.object({ why: resultExplanation }),
})

/** An event as a query parameter. */
export const eventQuery = z.strictObject({ eventYearId: queryId })

const format = z.enum(['xlsx', 'csv'])

/** POST, so that students' names are in no address and no log. */
export const exportResults = endpoint('POST /api/ManageResult/ExportResults', {
  summary: "The released results of the caller's school that match the filters, as a spreadsheet.",
  body: z.extend(searchResults.body, { format }),
  answers: 'file',
})

export const marksTemplate = endpoint('GET /api/office/results/template', {
  summary: "A template for an event's marks: its columns, and a row for each student who should be present.",
  query: z.extend(eventQuery, { format }),
  answers: 'file',
})
