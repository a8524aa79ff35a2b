import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, jobState, queryId } from '../fields.ts'
import { ledgerStatuses } from '../ledger/calls.ts'
import { mailTextForm } from '../office/calls-mails.ts'
import { nextSteps, reminderSpans } from '../office/calls-overview.ts'
import { schoolFilters } from './calls-register.ts'

/**
 * E-mails from the office to all schools that match the filters of the register, the ledger or the reminders, or to
 * selected schools.
 */

/** From this number of schools on, the officer has to type the number. */
export const confirmCountFrom = 51
/** Most schools for one e-mail. */
export const maxMailed = 20_000

export const mailingReaders = ['coordinators', 'everyone'] as const
export type MailingReaders = (typeof mailingReaders)[number]

/** Placeholders allowed in braces in subject and text. */
export const mailingPlaceholders = ['school', 'code', 'amount', 'season', 'link'] as const
export type MailingPlaceholder = (typeof mailingPlaceholders)[number]

const which = {
  ...schoolFilters,
  /** The list the filters are of: the register, the ledger by balance, or the reminders by next step and days left */
  list: z._default(z.enum(['', 'ledger', 'reminders']), ''),
  balance: z._default(z.enum(ledgerStatuses), ''),
  step: z._default(z.enum(['', ...nextSteps]), ''),
  within: z._default(z.enum(['', ...reminderSpans]), ''),
  /** Ids separated by commas; empty: all that match the filters */
  ids: z._default(z.string().check(z.maxLength(5_000), z.regex(/^(\d{1,15}(,\d{1,15})*)?$/)), ''),
}
const readers = z._default(z.enum(mailingReaders), 'coordinators')

export const mailingPlan = endpoint('GET /api/office/mailings/plan', {
  summary: 'How many schools and people an e-mail would go to, and which schools are left out.',
  query: z.strictObject({ ...which, readers }),
  answer: z.object({
    /** Schools that get it */
    schools: z.int(),
    /** E-mails: to users of these schools; to the school's own address if it has no account */
    mails: z.int(),
    /** How many of them go to bouncing addresses */
    bounced: z.int(),
    /** Left out: inactive schools, and schools without an account or an address */
    off: z.int(),
    unreachable: z.int(),
  }),
})

const mailingInput = { ...which, ...mailTextForm.shape, readers }

export const previewMailing = endpoint('POST /api/office/mailings/preview', {
  summary: 'The e-mail as one of these schools would get it.',
  body: z.strictObject({
    ...mailingInput,
    /** Index of the school, by name */
    at: z.int().check(z.minimum(0), z.maximum(maxMailed)),
  }),
  answer: z.object({
    school: z.string(),
    schCode: z.string(),
    /** Names of its recipients at this school */
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string(),
  }),
})

export const testMailing = endpoint('POST /api/office/mailings/test', {
  summary: 'Sends the e-mail, as the first of these schools would get it, only to the caller.',
  body: z.strictObject(mailingInput),
})

/** Refuses with mailings.none, mailings.many, mailings.changed. */
export const sendMailing = endpoint('POST /api/office/mailings/send', {
  summary:
    'Sends the e-mail to these schools, once each, as a background job. Above 50 schools the number must be typed.',
  body: z.strictObject({
    ...mailingInput,
    /** The number of schools shown to the officer */
    schools: bodyId,
    /** The same number as typed, if it has to be */
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
  /** The filters used, by name */
  filters: z.record(z.string(), z.string()),
  by: z.string(),
  at: z.string(),
  schools: z.int(),
  /** Schools processed, how many of them got nothing, and e-mails so far */
  done: z.int(),
  left: z.int(),
  mails: z.int(),
  /** How many of them have not left yet, were given up, or came back */
  waiting: z.int(),
  failed: z.int(),
  returned: z.int(),
  state: z.enum(['sending', 'sent', 'stopped']),
})
export type Mailing = z.output<typeof mailing>

export const mailings = endpoint('GET /api/office/mailings/list', {
  summary: 'E-mails sent to many schools, newest first, 20 a page.',
  query: z.strictObject({ page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(mailing), total: z.int(), pageSize: z.int() }),
})

export const stopMailing = endpoint('POST /api/office/mailings/stop', {
  summary: 'Stops sending an e-mail; schools that have it keep it.',
  body: z.strictObject({ mailingId: bodyId }),
})

/** Invitation letters for many schools: one print job, in postal order, with some hundreds of letters in each PDF. */

/** Letters in one PDF. */
export const lettersPerPdf = 250
/** Most schools in one job. */
export const maxLetters = 50_000
/** How long a job's files can be downloaded, in hours from the start of the job. */
export const letterHours = 24

export const letterLanguages = ['en', 'hi', 'both'] as const
export type LetterLanguages = (typeof letterLanguages)[number]

/** `keep`: schools keep a readable code they have; `new`: all get a new code, and the old ones stop working. */
export const letterCodes = ['keep', 'new'] as const
export type LetterCodes = (typeof letterCodes)[number]

/** Which schools: the selected ones, or those imported from a file, or all that match the filters. */
const lettersOf = {
  ...schoolFilters,
  /** Ids separated by commas; empty: all */
  ids: z._default(z.string().check(z.maxLength(5_000), z.regex(/^(\d{1,15}(,\d{1,15})*)?$/)), ''),
  /** Id of a file of schools */
  file: z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{0,40}$/)), ''),
}

const plan = z.object({
  /** Schools that get a letter */
  schools: z.int(),
  /** Inactive schools, which get none */
  off: z.int(),
  /** How many have a printable code, no link yet, or a code that can't be read any more */
  printable: z.int(),
  without: z.int(),
  unreadable: z.int(),
  /** Number of PDFs */
  pieces: z.int(),
  /** Name of the file of schools, if one was given */
  fileName: z.string(),
})
export type LetterPlan = z.output<typeof plan>

export const letterPlan = endpoint('GET /api/office/schools/letterPlan', {
  summary: 'How many of these schools get a letter, and how many need a new link or code for it.',
  query: z.strictObject(lettersOf),
  answer: plan,
})

export const startLetters = endpoint('POST /api/office/schools/letterStart', {
  summary:
    'Prints the letters of these schools as a background job. Creates links and codes where none can be printed, or new ones for all.',
  body: z.strictObject({
    ...lettersOf,
    language: z.enum(letterLanguages),
    codes: z.enum(letterCodes),
    /** The number of schools shown to the officer */
    schools: bodyId,
  }),
  answer: z.object({ jobId: z.string() }),
})

const run = z.object({
  jobId: z.string(),
  state: jobState,
  language: z.enum(letterLanguages),
  codes: z.enum(letterCodes),
  by: z.string(),
  at: z.string(),
  /** Until when its files can be downloaded */
  until: z.string(),
  /** Letters, counted in schools */
  done: z.int(),
  total: z.int(),
  /** Links created for schools that had none, and codes replaced */
  made: z.int(),
  renewed: z.int(),
  /** Schools deactivated or merged since */
  left: z.int(),
  error: z.nullable(z.string()),
  /** Files that are ready, in postal order; 0 is the ZIP of all */
  files: z.array(z.object({ piece: z.int(), name: z.string(), schools: z.int(), bytes: z.int() })),
})
export type LetterRun = z.output<typeof run>

export const letterRuns = endpoint('GET /api/office/schools/letterRuns', {
  summary: 'The ten newest print jobs of letters, with progress and files.',
  answer: z.object({ data: z.array(run) }),
})

const jobId = z.string().check(z.maxLength(40))

export const cancelLetters = endpoint('POST /api/office/schools/letterCancel', {
  summary: 'Stops a print job of letters; files that are ready stay available.',
  body: z.strictObject({ jobId }),
})

export const letterFile = endpoint('POST /api/office/schools/letterFile', {
  summary: 'A PDF of letters from a job, or (0) the ZIP of all of them, streamed.',
  body: z.strictObject({ jobId, piece: bodyId }),
  answers: 'file',
})
