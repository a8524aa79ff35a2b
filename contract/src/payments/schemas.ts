import * as z from 'zod/mini'
import { bodyId, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { isDay, istDay } from '../season.ts'
import { paymentKinds } from './rules.ts'

/** A day as `2026-11-18`; an instant, which some clients send, is converted to its day in IST. */
const day = z.pipe(
  z.string(messages.paymentDateRequired).check(z.minLength(1, messages.paymentDateRequired)),
  z.transform((typed: string) => {
    if (/^\d{4}-\d\d-\d\dT/.test(typed) && !Number.isNaN(Date.parse(typed))) return istDay(new Date(typed))
    return typed
  }),
)

export const paymentDay = z.pipe(day, z.string().check(z.refine(isDay, messages.paymentDateInvalid)))

/** A list of ids as numbers, or separated by commas. */
const ids = z.pipe(
  z.union([z.string(), z.array(z.int())]),
  z.transform((input: string | number[]) =>
    typeof input === 'string'
      ? input
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
          .map(Number)
      : input,
  ),
)

/** What the payment dialog sends. */
const submission = z.strictObject({
  /** Always 3 (specification, section 9) */
  mode: z.literal(3, 'Mode must be 3.'),
  /** Rupees; only compared with what is due */
  payableAmount: z
    .number('Amount is required.')
    .check(z.minimum(0, 'Amount is not valid.'), z.maximum(1e9, 'Amount is not valid.')),
  paymentDate: paymentDay,
  remarks: text(messages.remarksRequired, 500),
  /** The proof as a data URL; empty with `proofOf` */
  attechment: z.string(messages.attachmentRequired),
  /** The school's last payment of this fee, which it withdrew: its proof is used again */
  proofOf: z.optional(bodyId),
  individualRegIdList: z.pipe(
    ids,
    z
      .array(z.int().check(z.minimum(1)))
      .check(z.minLength(1, 'Students are required.'), z.maxLength(20_000, 'At most 20000 students.')),
  ),
  /** Which fee item; if left out, the one with these ids and this amount */
  paymentFor: z.optional(z.enum(paymentKinds)),
  utr: optionalText(40),
  /** File name of the proof, to show again */
  attechmentName: optionalText(200),
  FYear: z.optional(seasonLabel),
  schId: z.optional(bodyId),
})
const hasProof = ({ attechment, proofOf }: z.output<typeof submission>) =>
  (attechment === '') === (proofOf !== undefined)
export const paymentSubmission = submission.check(
  z.refine(hasProof, { path: ['attechment'], error: messages.attachmentRequired }),
)
export type PaymentSubmission = z.output<typeof paymentSubmission>

/** Which file; with `page`, one of its pages as an image (JPEG, or the uploaded image itself). */
export const shownFileQuery = z.strictObject({ id: queryId, page: z.optional(queryId) })
