import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, pages, queryId, text } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { messages } from '../messages.ts'

/** The office's e-mails: their texts in both languages, and the queue of waiting, sent and failed ones. */

const kind = z.string().check(z.regex(/^[a-z-]{1,40}$/))
const body = z.pipe(
  z.pipe(
    z.string(messages.mailTextRequired),
    z.transform((typed: string) => typed.normalize('NFC').replaceAll('\r', '').trimEnd()),
  ),
  z.string().check(z.minLength(1, messages.mailTextRequired), z.maxLength(4000, 'At most 4000 characters.')),
)

export const mailTextForm = z.strictObject({ subject: text(messages.mailSubjectRequired, 150), body })

const mailText = z.object({
  subject: z.string(),
  body: z.string(),
  /** Whether the office has written the text; otherwise it is built in */
  isCustom: z.boolean(),
  version: z.int(),
  changedBy: z.string(),
  changedAt: z.nullable(z.string()),
})

const template = z.object({
  kind: z.string(),
  placeholders: z.array(z.object({ name: z.string(), example: z.string(), needed: z.boolean() })),
  en: mailText,
  hi: mailText,
})
export type MailTemplate = z.output<typeof template>

export const mailTemplates = endpoint('GET /api/office/mails/texts', {
  summary: 'The e-mails whose texts the office can edit, in both languages.',
  answer: z.object({ data: z.array(template) }),
})

const which = { kind, language: z.enum(writtenLanguages) }

export const previewMail = endpoint('POST /api/office/mails/preview', {
  summary: 'An e-mail as it would be sent, with example values.',
  body: z.strictObject({ ...which, ...mailTextForm.shape }),
  answer: z.object({ subject: z.string(), text: z.string() }),
})

export const saveMailText = endpoint('POST /api/office/mails/saveText', {
  summary: 'Saves the text of an e-mail in one language.',
  body: z.strictObject({ ...which, ...mailTextForm.shape, version: bodyId }),
  answer: z.object({ version: z.int() }),
})

export const restoreMailText = endpoint('POST /api/office/mails/restoreText', {
  summary: 'Restores the built-in text of an e-mail.',
  body: z.strictObject({ ...which, version: bodyId }),
})

export const mailStates = ['failed', 'bounced', 'waiting', 'sent'] as const
/** What a list of them shows */
export const mailViews = ['all', ...mailStates] as const
export type MailView = (typeof mailViews)[number]

const queued = z.object({
  id: z.int(),
  kind: z.string(),
  /** Masked; empty once the e-mail is sent, because its text is not stored */
  to: z.string(),
  /** The account and the school it was sent to; empty and null if there is none */
  name: z.string(),
  school: z.nullable(z.object({ id: z.int(), schCode: z.string(), schName: z.string() })),
  subject: z.string(),
  state: z.enum(mailStates),
  attempts: z.int(),
  createdAt: z.string(),
  /** When it is tried next, was given up, was sent, or bounced */
  at: z.string(),
  error: z.string(),
})
export type QueuedMail = z.output<typeof queued>

/**
 * Part of the name of a kind of e-mail, in either language, or a whole address. Addresses are only stored until an
 * e-mail is sent; finding them needs `mails.addresses` and is limited to twenty times an hour.
 */
const searched = optionalText(200)

/** Refuses with mails.address_search. */
export const mailQueue = endpoint('GET /api/office/mails/queue', {
  summary:
    'E-mails by state, by kind or address, and by the mailing they belong to, newest first, 50 a page.',
  query: z.strictObject({
    state: z._default(z.enum(mailViews), 'failed'),
    search: searched,
    /** Id of an e-mail to many schools; 0: all e-mails */
    mailing: z._default(queryId, 0),
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(queued),
    ...pages,
    /** Counts of what the search finds, in the mailing if one is chosen */
    counts: z.object({ failed: z.int(), bounced: z.int(), waiting: z.int() }),
    /** The chosen mailing, its subject with placeholders */
    mailing: z.nullable(z.object({ subject: z.string(), at: z.string() })),
  }),
})

/** POST, because it writes to the audit log. Refuses with mails.address_search. */
export const exportMails = endpoint('POST /api/office/mails/export', {
  summary:
    'The newest 10,000 e-mails that match the filters as a spreadsheet, with addresses masked as in the list.',
  body: z.strictObject({
    state: z.enum(mailViews),
    search: searched,
    mailing: z._default(bodyId, 0),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

const ofSchool = z.object({
  id: z.int(),
  kind: z.string(),
  /** Empty once the e-mail is sent, except for an e-mail to many schools, whose text is stored */
  subject: z.string(),
  /** Name of the account it was sent to; empty if there is none */
  name: z.string(),
  /** Masked; empty once the e-mail is sent */
  to: z.string(),
  state: z.enum(mailStates),
  createdAt: z.string(),
  /** When it is tried next, was given up, was sent, or bounced */
  at: z.string(),
  error: z.string(),
  /** Whether it can be sent again now, or the code of the reason it can't */
  can: allowance,
})
export type SchoolMail = z.output<typeof ofSchool>

export const schoolMails = endpoint('GET /api/office/schools/mails', {
  summary: "E-mails to a school's users, newest first, 50 a page.",
  query: z.strictObject({ id: queryId, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(ofSchool), total: z.int(), pageSize: z.int() }),
})

/** Refuses with mails.not_failed, mails.expired. */
export const resendMails = endpoint('POST /api/office/mails/resend', {
  summary: 'Retries e-mails that were given up.',
  body: z.strictObject({ ids: z.array(bodyId).check(z.minLength(1), z.maxLength(500)) }),
  answer: z.object({ resent: z.int() }),
})
