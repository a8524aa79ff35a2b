import * as z from 'zod/mini'
import { hexPattern, isReadableColour, readColour } from '../brand.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, email, jobState, numeric, optionalText, queryId, text, tidy } from '../fields.ts'
import { messages } from '../messages.ts'
import { formatSentence } from '../sentences.ts'
import { adjustableLimits, type LimitKey, limitKeys } from './rules-limits.ts'

/** Settings of the whole portal, each part with its own version, and the background jobs of all features. */

const maxLines = 6

/** The lines of an address, tidied and without empty ones. */
const addressLines = z._default(
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed: string) =>
        typed
          .split('\n')
          .map((line) => tidy(line).replace(/,$/, ''))
          .filter((line) => line !== '')
          .join('\n'),
      ),
    ),
    z.string().check(
      z.maxLength(400, 'At most 400 characters.'),
      z.refine((lines) => lines.split('\n').length <= maxLines, messages.addressLines),
    ),
  ),
  '',
)

const webAddress = z._default(
  z.pipe(
    z.pipe(z.string(), z.transform(tidy)),
    z.string().check(
      z.maxLength(200, 'At most 200 characters.'),
      z.refine((typed) => typed === '' || isWebAddress(typed), messages.websiteInvalid),
    ),
  ),
  '',
)

function isWebAddress(typed: string): boolean {
  return /^https:\/\/[^\s<>"'@]+\.[^\s<>"'@]+$/i.test(typed) && URL.canParse(typed)
}

export const identityForm = z.strictObject({
  name: text(messages.foundationNameRequired, 120),
  /** If empty, the name is used */
  shortName: optionalText(30),
  postalAddress: addressLines,
  website: webAddress,
})

export const supportForm = z.strictObject({
  phone: text(messages.supportPhoneRequired, 40).check(
    z.refine((typed) => typed === '' || /^[+\d][\d ()/.,+-]*$/.test(typed), messages.supportPhoneInvalid),
  ),
  email: email(messages.emailRequired, messages.emailInvalid),
  hours: text(messages.supportHoursRequired, 120),
  /** If empty, the English text is used */
  hoursHi: optionalText(120),
})

/** The foundation's colour as `#rrggbb`; empty for the product's own. */
export const colourForm = z.strictObject({
  colour: z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed: string) => (typed.trim() === '' ? '' : (readColour(typed) ?? typed))),
    ),
    z.string().check(
      z.refine((colour) => colour === '' || hexPattern.test(colour), messages.colourInvalid),
      z.refine((colour) => !hexPattern.test(colour) || isReadableColour(colour), messages.colourTooLight),
    ),
  ),
})

function bounded(key: LimitKey) {
  const { least, most } = adjustableLimits[key]
  const message = formatSentence('wholeBetween', { least, most })
  return z.pipe(numeric(message), z.int(message).check(z.minimum(least, message), z.maximum(most, message)))
}

export const limitsForm = z.strictObject({
  importRows: bounded('importRows'),
  proofMegabytes: bounded('proofMegabytes'),
  codeTries: bounded('codeTries'),
  otpMinutes: bounded('otpMinutes'),
  idleMinutes: bounded('idleMinutes'),
  invitationDays: bounded('invitationDays'),
} satisfies Record<LimitKey, unknown>)

const version = z.int()

export const foundationSettings = endpoint('GET /api/office/settings/foundation', {
  summary: "The foundation's name, branding and contact details, and the limits it has changed.",
  answer: z.object({
    identity: z.object({
      name: z.string(),
      shortName: z.string(),
      postalAddress: z.string(),
      website: z.string(),
      version,
    }),
    /** `address` of the image, empty for the built-in mark; its size in pixels */
    logo: z.object({ address: z.string(), name: z.string(), width: z.int(), height: z.int(), version }),
    colour: z.object({ colour: z.string(), version }),
    support: z.object({
      phone: z.string(),
      email: z.string(),
      hours: z.string(),
      hoursHi: z.string(),
      version,
    }),
    limits: z.object({
      ...(Object.fromEntries(limitKeys.map((key) => [key, z.int()])) as Record<LimitKey, z.ZodMiniInt>),
      version,
    }),
  }),
})

export const saveIdentity = endpoint('POST /api/office/settings/saveFoundation', {
  summary: "Changes the foundation's name and addresses, on pages, papers and e-mails from now on.",
  body: z.strictObject({ ...identityForm.shape, version: bodyId }),
})

export const saveSupport = endpoint('POST /api/office/settings/saveSupport', {
  summary: 'Changes how schools and families reach the foundation.',
  body: z.strictObject({ ...supportForm.shape, version: bodyId }),
})

export const saveColour = endpoint('POST /api/office/settings/saveColour', {
  summary:
    "Changes the foundation's colour, from which all tones of pages and papers are derived; empty for the built-in one.",
  body: z.strictObject({ ...colourForm.shape, version: bodyId }),
})

/** Largest logo: 1 MB. Up to five times as much is accepted, so that the refusal can name the logo's own limit. */
export const maxLogoBytes = 1024 * 1024

export const saveLogo = endpoint('POST /api/office/settings/saveLogo', {
  summary: 'Sets a PNG, JPEG or WebP image as the logo of pages and papers; it is re-encoded as PNG.',
  upload: true,
  bodyLimit: 5 * maxLogoBytes,
  query: z.strictObject({ version: queryId }),
})

export const removeLogo = endpoint('POST /api/office/settings/removeLogo', {
  summary: 'Restores the built-in mark.',
  body: z.strictObject({ version: bodyId }),
})

export const saveLimits = endpoint('POST /api/office/settings/saveLimits', {
  summary: 'Changes limits of the portal within their bounds.',
  body: z.strictObject({ ...limitsForm.shape, version: bodyId }),
})

/** Decisions with a reason: rejecting payments or applications, asking back, ignoring bank lines, declining waivers. */
export const reasonKinds = ['payment', 'application', 'request', 'bank', 'waiver'] as const
export type ReasonKind = (typeof reasonKinds)[number]
export const maxReasons = 20

const standardReason = z.strictObject({
  en: text(messages.reasonRequired, 200),
  /** Shown to schools that read Hindi; if empty, the English text */
  hi: optionalText(200),
})
export type StandardReason = z.output<typeof standardReason>

/** One list, in its order. */
export const reasonsForm = z.strictObject({
  reasons: z.array(standardReason).check(
    z.maxLength(maxReasons, messages.reasonsTooMany),
    z.refine((list) => new Set(list.map(({ en }) => en)).size === list.length, messages.reasonTwice),
  ),
})

export const standardReasons = endpoint('GET /api/office/settings/reasons', {
  summary: 'The standard reasons offered in dialogs, one list for each kind of decision.',
  answer: z.object({
    data: z.array(
      z.object({
        kind: z.enum(reasonKinds),
        reasons: z.array(z.object({ en: z.string(), hi: z.string() })),
        version,
      }),
    ),
  }),
})

export const saveReasons = endpoint('POST /api/office/settings/saveReasons', {
  summary: 'Replaces the list of one kind. Earlier decisions keep their texts.',
  body: z.strictObject({ ...reasonsForm.shape, kind: z.enum(reasonKinds), version: bodyId }),
})

export const specimen = endpoint('GET /api/office/settings/specimen', {
  summary: 'A sheet with the current letterhead, for printing.',
  answers: 'file',
})

export const jobStates = ['open', 'failed', 'all'] as const

const job = z.object({
  id: z.string(),
  kind: z.string(),
  state: jobState,
  done: z.int(),
  total: z.int(),
  season: z.string(),
  /** For a school's job */
  schName: z.string(),
  error: z.string(),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type OfficeJob = z.output<typeof job>

export const officeJobs = endpoint('GET /api/office/jobs/list', {
  summary: 'Background jobs by state, newest first, 50 a page.',
  query: z.strictObject({
    state: z._default(z.enum(jobStates), 'open'),
    /** Part of a job's name, in either language */
    search: optionalText(100),
    page: z._default(queryId, 1),
  }),
  answer: z.object({ data: z.array(job), total: z.int(), pageSize: z.int() }),
})

/** POST, because it writes to the audit log. */
export const exportJobs = endpoint('POST /api/office/jobs/export', {
  summary: 'The newest 10,000 background jobs that match the filters, as a spreadsheet.',
  body: z.strictObject({
    state: z.enum(jobStates),
    search: optionalText(100),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const stopJob = endpoint('POST /api/office/jobs/cancel', {
  summary: 'Stops a waiting or running background job; what is already done stays.',
  body: z.strictObject({ id: z.string().check(z.regex(/^[\w-]{1,40}$/)) }),
})
