import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, text } from '../fields.ts'
import { messages } from '../messages.ts'

/** The office's mails: their texts in both languages, and those that are on their way or failed. */

export const mailLanguages = ['en', 'hi'] as const

const kind = z.string().check(z.regex(/^[a-z-]{1,40}$/))
const body = z.pipe(
  z.pipe(
    z.string(messages.mailTextRequired),
    z.transform((typed: string) => typed.normalize('NFC').replaceAll('\r', '').trimEnd()),
  ),
  z.string().check(z.minLength(1, messages.mailTextRequired), z.maxLength(4000, 'At most 4000 characters.')),
)

export const mailTextForm = z.strictObject({
  subject: text(messages.mailSubjectRequired, 150),
  body,
})

const written = z.object({
  subject: z.string(),
  body: z.string(),
  /** The office has written it; else it is the program's own */
  own: z.boolean(),
  version: z.int(),
  changedBy: z.string(),
  changedAt: z.nullable(z.string()),
})

const template = z.object({
  kind: z.string(),
  placeholders: z.array(z.object({ name: z.string(), example: z.string(), needed: z.boolean() })),
  en: written,
  hi: written,
})
export type MailTemplate = z.output<typeof template>

export const mailTemplates = endpoint('GET /api/office/mails/texts', {
  summary: 'The mails whose texts the office can write itself, in both languages.',
  answer: z.object({ data: z.array(template) }),
})

const which = { kind, language: z.enum(mailLanguages) }

export const previewMail = endpoint('POST /api/office/mails/preview', {
  summary: 'A mail as it would be sent, with example values.',
  body: z.strictObject({ ...which, ...mailTextForm.shape }),
  answer: z.object({ subject: z.string(), text: z.string() }),
})

export const saveMailText = endpoint('POST /api/office/mails/saveText', {
  summary: 'Writes the text of a mail in one language.',
  body: z.strictObject({ ...which, ...mailTextForm.shape, version: bodyId }),
})

export const restoreMailText = endpoint('POST /api/office/mails/restoreText', {
  summary: "Puts the program's own text of a mail back.",
  body: z.strictObject({ ...which, version: bodyId }),
})

export const mailStates = ['failed', 'bounced', 'waiting', 'sent'] as const

const queued = z.object({
  id: z.int(),
  kind: z.string(),
  /** Masked; empty once the mail has left: its text is not kept */
  to: z.string(),
  /** Of the account and the school that it went to; empty and null where it has none */
  name: z.string(),
  school: z.nullable(z.object({ id: z.int(), schCode: z.string(), schName: z.string() })),
  subject: z.string(),
  state: z.enum(mailStates),
  attempts: z.int(),
  createdAt: z.string(),
  /** Of the next try, of the giving up, of the sending, or of the coming back */
  at: z.string(),
  error: z.string(),
})
export type QueuedMail = z.output<typeof queued>

/**
 * Part of what a kind of mail is called, in either language, or a whole address.
 * Addresses are known of mails that have not left, and found by who has `mails.addresses`, twenty times an hour.
 */
const searched = optionalText(200)

/** Refusals: mails.address_search. */
export const mailQueue = endpoint('GET /api/office/mails/queue', {
  summary: 'Mails by state and by kind or address, the newest first, 50 to a page.',
  query: z.strictObject({
    state: z._default(z.enum(mailStates), 'failed'),
    search: searched,
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(queued),
    total: z.int(),
    pageSize: z.int(),
    /** Of those that the search finds */
    counts: z.object({ failed: z.int(), bounced: z.int(), waiting: z.int() }),
  }),
})

/** POST, because it leaves a line in the audit trail. Refusals: mails.address_search. */
export const exportMails = endpoint('POST /api/office/mails/export', {
  summary:
    'The newest 10,000 mails that the filters leave as a spreadsheet, addresses masked as in the list.',
  body: z.strictObject({
    state: z.enum(mailStates),
    search: searched,
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

const ofSchool = z.object({
  id: z.int(),
  kind: z.string(),
  /** Empty once the mail has left, but for an e-mail to many schools: its text is kept */
  subject: z.string(),
  /** Name of the account that it went to; empty where it has none any more, or never had */
  name: z.string(),
  /** Masked; empty once the mail has left */
  to: z.string(),
  state: z.enum(mailStates),
  createdAt: z.string(),
  /** Of the next try, of the giving up, of the sending, or of the coming back */
  at: z.string(),
  error: z.string(),
  /** Whether it can be sent again now, or the code of why not */
  can: allowance,
})
export type SchoolMail = z.output<typeof ofSchool>

export const schoolMails = endpoint('GET /api/office/schools/mails', {
  summary: 'The e-mails to people of a school, the newest first, 50 to a page.',
  query: z.strictObject({ id: queryId, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(ofSchool), total: z.int(), pageSize: z.int() }),
})

/** Refusals: mails.not_failed, mails.expired. */
export const resendMails = endpoint('POST /api/office/mails/resend', {
  summary: 'Tries mails again that were given up.',
  body: z.strictObject({ ids: z.array(bodyId).check(z.minLength(1), z.maxLength(500)) }),
  answer: z.object({ resent: z.int() }),
})
