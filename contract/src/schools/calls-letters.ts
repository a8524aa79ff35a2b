import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { schoolsFoundBy } from './calls-register.ts'

/** Letters of invitation for many schools: one print job, in postal order, some hundreds of letters to a PDF. */

/** Letters of one PDF. */
export const lettersOfPiece = 250
/** Schools of one job. */
export const mostLetters = 50_000
/** So many hours the files of a job can be fetched, counted from its start. */
export const letterHours = 24

export const letterLanguages = ['en', 'hi', 'both'] as const
export type LetterLanguages = (typeof letterLanguages)[number]

/** `keep`: who has a code that can be read keeps it; `new`: everybody gets a new one, and the old ones stop. */
export const letterCodes = ['keep', 'new'] as const
export type LetterCodes = (typeof letterCodes)[number]

/** Which schools: those that are named, else those that a file has brought in, else all that the filters leave. */
const which = {
  ...schoolsFoundBy,
  /** Ids with commas between; empty for all */
  ids: z._default(z.string().check(z.maxLength(5_000), z.regex(/^(\d{1,15}(,\d{1,15})*)?$/)), ''),
  /** The id of a file of schools */
  file: z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{0,40}$/)), ''),
}

const plan = z.object({
  /** Schools that get a letter */
  schools: z.int(),
  /** Those switched off, which get none */
  off: z.int(),
  /** Of those that get one: with a code that can be printed, without a link yet, with a code that nobody can read */
  kept: z.int(),
  without: z.int(),
  unreadable: z.int(),
  /** PDFs */
  pieces: z.int(),
  /** The file of schools, where it was asked for */
  fileName: z.string(),
})
export type LetterPlan = z.output<typeof plan>

export const letterPlan = endpoint('GET /api/office/schools/letterPlan', {
  summary: 'How many of these schools get a letter, and how many of them need a new link or code for it.',
  query: z.strictObject(which),
  answer: plan,
})

export const startLetters = endpoint('POST /api/office/schools/letterStart', {
  summary:
    'Prints the letters of these schools as a job. Links and codes are made where there is none that can be printed, or for all of them anew.',
  body: z.strictObject({
    ...which,
    language: z.enum(letterLanguages),
    codes: z.enum(letterCodes),
    /** How many schools the officer was told of */
    schools: bodyId,
  }),
  answer: z.object({ jobId: z.string() }),
})

const run = z.object({
  jobId: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  language: z.enum(letterLanguages),
  codes: z.enum(letterCodes),
  by: z.string(),
  at: z.string(),
  /** Until then its files can be fetched */
  until: z.string(),
  /** Letters, in schools */
  done: z.int(),
  total: z.int(),
  /** Links made for schools that had none, and codes made anew */
  made: z.int(),
  renewed: z.int(),
  /** Schools that were switched off or merged meanwhile */
  left: z.int(),
  error: z.nullable(z.string()),
  /** What is ready to be fetched, in postal order; 0 is the ZIP of all */
  files: z.array(z.object({ piece: z.int(), name: z.string(), schools: z.int(), bytes: z.int() })),
})
export type LetterRun = z.output<typeof run>

export const letterRuns = endpoint('GET /api/office/schools/letterRuns', {
  summary: 'The print jobs of letters, the newest ten: how far each is, and what is ready.',
  answer: z.object({ data: z.array(run) }),
})

const jobId = z.string().check(z.maxLength(40))

export const cancelLetters = endpoint('POST /api/office/schools/letterCancel', {
  summary: 'Stops a print job of letters; the files that are ready stay.',
  body: z.strictObject({ jobId }),
})

export const letterFile = endpoint('POST /api/office/schools/letterFile', {
  summary: 'A PDF of letters that a job has made, or (0) the ZIP of all of them as it is put together.',
  body: z.strictObject({ jobId, piece: bodyId }),
  answers: 'file',
})
