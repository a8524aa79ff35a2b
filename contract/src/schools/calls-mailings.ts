import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId } from '../fields.ts'
import { ledgerStatuses } from '../ledger/calls.ts'
import { mailTextForm } from '../office/calls-mails.ts'
import { nextSteps, nudgeSpans } from '../office/calls-overview.ts'
import { schoolsFoundBy } from './calls-register.ts'

/**
 * E-mails that the office writes to all schools that the filters of the register, the ledger or the reminders leave, or to
 * those that are named.
 */

/** From so many schools on, the number has to be typed. */
export const typedFrom = 51
/** Schools of one e-mail. */
export const mostMailed = 20_000

export const mailingReaders = ['coordinators', 'everyone'] as const
export type MailingReaders = (typeof mailingReaders)[number]

/** What may stand in braces in subject and text. */
export const mailingPlaceholders = ['school', 'code', 'amount', 'season', 'link'] as const
export type MailingPlaceholder = (typeof mailingPlaceholders)[number]

const which = {
  ...schoolsFoundBy,
  /** Of which list: the register, the ledger by balance, or the reminders by next step and days left */
  list: z._default(z.enum(['', 'ledger', 'reminders']), ''),
  balance: z._default(z.enum(ledgerStatuses), ''),
  step: z._default(z.enum(['', ...nextSteps]), ''),
  within: z._default(z.enum(['', ...nudgeSpans]), ''),
  /** Ids with commas between; empty for all that the filters leave */
  ids: z._default(z.string().check(z.maxLength(5_000), z.regex(/^(\d{1,15}(,\d{1,15})*)?$/)), ''),
}
const readers = z._default(z.enum(mailingReaders), 'coordinators')

export const mailingPlan = endpoint('GET /api/office/mailings/plan', {
  summary: 'How many schools an e-mail would go to, how many people that is, and which schools are left out.',
  query: z.strictObject({ ...which, readers }),
  answer: z.object({
    /** Schools that get it */
    schools: z.int(),
    /** E-mails: people of these schools; of a school without an account its own address */
    mails: z.int(),
    /** Those of them to addresses that e-mails come back from */
    bounced: z.int(),
    /** Left out: inactive schools, and those without an account or an address */
    off: z.int(),
    unreachable: z.int(),
  }),
})

const written = { ...which, ...mailTextForm.shape, readers }

export const previewMailing = endpoint('POST /api/office/mailings/preview', {
  summary: 'The e-mail as one of these schools would get it.',
  body: z.strictObject({
    ...written,
    /** Which of the schools, in the order of their names */
    at: z.int().check(z.minimum(0), z.maximum(mostMailed)),
  }),
  answer: z.object({
    school: z.string(),
    schCode: z.string(),
    /** Names of those who get it at this school */
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string(),
  }),
})

export const testMailing = endpoint('POST /api/office/mailings/test', {
  summary: 'Sends the e-mail, as the first of these schools would get it, to the caller alone.',
  body: z.strictObject(written),
})

/** Refusals: mailings.none, mailings.many, mailings.changed. */
export const sendMailing = endpoint('POST /api/office/mailings/send', {
  summary:
    'Sends the e-mail to these schools, as a job; each gets it once. Above 50 schools the number is typed.',
  body: z.strictObject({
    ...written,
    /** How many schools the officer was told of */
    schools: bodyId,
    /** The same, typed, where there are many */
    typed: z._default(z.string().check(z.maxLength(20)), ''),
  }),
  answer: z.object({ mailingId: z.int() }),
})

const mailing = z.object({
  id: z.int(),
  FYear: z.string(),
  subject: z.string(),
  body: z.string(),
  readers: z.enum(mailingReaders),
  /** The filters that were set, by name */
  filters: z.record(z.string(), z.string()),
  by: z.string(),
  at: z.string(),
  schools: z.int(),
  /** Schools whose turn has come, those of them that got nothing, and mails so far */
  done: z.int(),
  left: z.int(),
  mails: z.int(),
  state: z.enum(['sending', 'sent', 'stopped']),
})
export type Mailing = z.output<typeof mailing>

export const mailings = endpoint('GET /api/office/mailings/list', {
  summary: 'E-mails that were sent to many schools, the newest first, 20 to a page.',
  query: z.strictObject({ page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(mailing), total: z.int(), pageSize: z.int() }),
})

export const stopMailing = endpoint('POST /api/office/mailings/stop', {
  summary: 'Stops an e-mail that is being sent; schools that have it keep it.',
  body: z.strictObject({ mailingId: bodyId }),
})

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
const lettersOf = {
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
  query: z.strictObject(lettersOf),
  answer: plan,
})

export const startLetters = endpoint('POST /api/office/schools/letterStart', {
  summary:
    'Prints the letters of these schools as a job. Links and codes are made where there is none that can be printed, or for all of them anew.',
  body: z.strictObject({
    ...lettersOf,
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
