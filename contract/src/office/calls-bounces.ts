import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { email } from '../fields.ts'
import { messages } from '../messages.ts'

/** Bounced e-mails: how the mail provider reports them, and which addresses bounce. */

/** Why an e-mail could not be delivered, as derived from its RFC 3463 status. */
const bounceCauses = ['address', 'domain', 'full', 'off', 'size', 'policy', 'other'] as const

type BounceCause = (typeof bounceCauses)[number]

/** Extracts the status from a mail server's answer: `5.1.1` from `550 5.1.1 User unknown`; '' if there is none. */
export const extractStatus = (answer: string): string =>
  /(?:^|[\s(:-])([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/.exec(answer)?.[1] ?? ''

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
  causes.find(([pattern]) => pattern.test(status))?.[1] ?? 'other'

/** Whether the address itself is the cause, and not this e-mail, the sender or an unknown fault. */
export const isAddressFault = (status: string): boolean =>
  status.startsWith('5.') && ['address', 'domain', 'full', 'off'].includes(causeOf(status))

/** Since when an address has bounced, and with which status; null if it does not. */
export const bounceMark = z.nullable(z.object({ at: z.string(), status: z.string() }))

export type BounceMark = z.output<typeof bounceMark>

/**
 * Needs the secret of the setting MAIL_BOUNCE_SECRET, as `Authorization: Bearer …`; without it or with a wrong one
 * the answer is 404. The answer does not reveal whether the id is known.
 */
export const reportBounce = endpoint('POST /api/mail/bounces', {
  summary: 'Reports the delivery state of an e-mail; called by the mail provider, usually when it bounced.',
  body: z.strictObject({
    /** The e-mail's Message-ID, with or without angle brackets */
    messageId: z.string().check(z.minLength(1), z.maxLength(250)),
    recipient: email(messages.emailRequired, messages.emailInvalid),
    /** RFC 3463: 5.x.x bounced for good, 4.x.x is retried, 2.x.x was delivered */
    status: z.string().check(z.regex(/^[245]\.\d{1,3}\.\d{1,3}$/)),
    /** The other mail server's answer */
    reason: z._default(z.string().check(z.maxLength(1000)), ''),
    at: z.iso.datetime({ offset: true }),
  }),
  bodyLimit: 16 * 1024,
})
