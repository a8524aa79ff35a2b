import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { email } from '../fields.ts'
import { messages } from '../messages.ts'

/** Mails that came back: how the provider of the mail server says so, and what is known of the address since. */

/** What a status of RFC 3463 says of a mail that could not be delivered. */
export const bounceCauses = ['address', 'domain', 'full', 'off', 'size', 'policy', 'other'] as const

export type BounceCause = (typeof bounceCauses)[number]

/** The status in what a mail server has answered: `5.1.1` in `550 5.1.1 User unknown`; '' where it names none. */
export const statusIn = (said: string): string =>
  /(?:^|[\s(:-])([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/.exec(said)?.[1] ?? ''

const causes: readonly (readonly [RegExp, BounceCause])[] = [
  [/^5\.(?:1\.2|4\.4)$/, 'domain'],
  [/^5\.1\.[78]$/, 'policy'],
  [/^5\.1\./, 'address'],
  [/^5\.2\.1$/, 'off'],
  [/^5\.2\.2$/, 'full'],
  [/^5\.(?:2\.3|3\.4)$/, 'size'],
  [/^5\.7\./, 'policy'],
]

export const causeOf = (status: string): BounceCause =>
  causes.find(([its]) => its.test(status))?.[1] ?? 'other'

/** Whether it is the address that mails come back from, and not this mail, the sender or a fault that nobody names. */
export const isOfAddress = (status: string): boolean =>
  status.startsWith('5.') && ['address', 'domain', 'full', 'off'].includes(causeOf(status))

/** Since when e-mails to an address come back, and by what status; null while none does. */
export const bounceMark = z.nullable(z.object({ at: z.string(), status: z.string() }))

export type BounceMark = z.output<typeof bounceMark>

/**
 * Behind the secret of the setting MAIL_BOUNCE_SECRET, as `Authorization: Bearer …`; without it, or with another, the
 * address is not there. Whether a mail of this id is known is not said.
 */
export const reportBounce = endpoint('POST /api/mail/bounces', {
  summary: 'What became of a mail after it had left: the provider of the mail server says that it came back.',
  body: z.strictObject({
    /** The Message-ID of the mail, with or without angle brackets */
    messageId: z.string().check(z.minLength(1), z.maxLength(250)),
    recipient: email(messages.emailRequired, messages.emailInvalid),
    /** RFC 3463: 5.x.x came back for good, 4.x.x is tried again, 2.x.x was delivered */
    status: z.string().check(z.regex(/^[245]\.\d{1,3}\.\d{1,3}$/)),
    /** What the other mail server has answered */
    reason: z._default(z.string().check(z.maxLength(1000)), ''),
    at: z.iso.datetime({ offset: true }),
  }),
  bodyLimit: 16 * 1024,
})
