import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { officeMessages } from '../office/messages.ts'

/**
 * The accounts schools pay to. A change needs two people, waits a day after its approval so that it can be stopped, and
 * every owner is e-mailed about it (docs/security.md, T9).
 */
export const accountPurposes = ['registration', 'books'] as const
export type AccountPurpose = (typeof accountPurposes)[number]
const accountChangeStates = ['proposed', 'approved', 'rejected', 'withdrawn', 'stopped'] as const

/** Hours between the approval of a change and its effect. */
export const accountChangeDelay = 24

const details = {
  purpose: z.enum(accountPurposes),
  accountName: z.string(),
  bankName: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  upiId: z.string(),
}

const account = z.object({ ...details, validFrom: z.string() })
export type PayAccount = z.output<typeof account>

const change = z.object({
  id: z.int(),
  ...details,
  reason: z.string(),
  state: z.enum(accountChangeStates),
  proposedBy: z.string(),
  proposedAt: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(z.string()),
  decisionNote: z.string(),
  /** For an approved change: when schools see it */
  validFrom: z.nullable(z.string()),
  can: z.object({ decide: allowance, withdraw: allowance, stop: allowance }),
})
export type AccountChange = z.output<typeof change>

export const payAccounts = endpoint('GET /api/office/accounts/list', {
  summary: 'The accounts schools pay to now, and all changes to them, newest first.',
  answer: z.object({
    current: z.array(account),
    changes: z.array(change),
    can: z.object({ propose: allowance }),
  }),
})

const trimmed = (required: string, longest: number) => text(required, longest)
const upper = (required: string) =>
  z.pipe(
    z.pipe(
      z.string(required),
      z.transform((typed: string) => typed.replace(/\s/g, '').toUpperCase()),
    ),
    z.string().check(z.minLength(1, required), z.regex(/^[A-Z]{4}0[A-Z0-9]{6}$/, officeMessages.ifscInvalid)),
  )

export const proposeAccount = endpoint('POST /api/office/accounts/propose', {
  summary: 'Proposes another account or UPI id for a kind of fee; someone else has to approve it.',
  body: z.strictObject({
    purpose: z.enum(accountPurposes),
    accountName: trimmed(officeMessages.accountNameRequired, 100),
    bankName: trimmed(officeMessages.bankRequired, 100),
    accountNo: z.pipe(
      z.pipe(
        z.string(officeMessages.accountNoRequired),
        z.transform((typed: string) => typed.replace(/[\s-]/g, '')),
      ),
      z.string().check(z.regex(/^[0-9]{6,20}$/, officeMessages.accountNoDigits)),
    ),
    ifsc: upper(officeMessages.ifscRequired),
    upiId: z._default(
      z.pipe(
        z.pipe(
          z.string(),
          z.transform((typed: string) => typed.trim().toLowerCase()),
        ),
        z
          .string()
          .check(z.regex(/^(?:[a-z0-9._-]{2,60}@[a-z][a-z0-9]{1,40})?$/, officeMessages.upiIdInvalid)),
      ),
      '',
    ),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({ id: z.int() }),
})

export const decideAccount = endpoint('POST /api/office/accounts/decide', {
  summary: 'Approves a change, which takes effect a day later, or rejects it; needs a second person.',
  body: z.strictObject({ id: bodyId, approve: z.boolean(), note: optionalText(300) }),
  answer: z.object({ id: z.int(), validFrom: z.nullable(z.string()) }),
})

export const withdrawAccount = endpoint('POST /api/office/accounts/withdraw', {
  summary: 'Withdraws a change that has not been decided.',
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ id: z.int() }),
})

export const stopAccount = endpoint('POST /api/office/accounts/stop', {
  summary: 'Stops an approved change before it takes effect. One person is enough.',
  body: z.strictObject({ id: bodyId, reason: text(messages.reasonRequired, 300) }),
  answer: z.object({ id: z.int() }),
})
