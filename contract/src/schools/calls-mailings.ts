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
