import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, seasonLabel } from '../fields.ts'
import { catalogueMessages } from './messages.ts'
import { amount, optionalDay } from './schemas.ts'

/**
 * The late fee: from a day (IST) on an entry of an event costs so much more per head and subject. It counts for entries
 * made from that day on and never for one that is there (docs/algorithms/fees.md).
 */

/** Both or neither; '' and 0: the event has no late fee. */
export const lateFeeValues = { lateFrom: optionalDay, lateFee: amount }

export const lateFeeWhole = z.refine<{ lateFrom: string; lateFee: number }>(
  ({ lateFrom, lateFee }) => lateFrom === '' || lateFee > 0,
  { error: catalogueMessages.amountRequired, path: ['lateFee'] },
)
export const lateDayGiven = z.refine<{ lateFrom: string; lateFee: number }>(
  ({ lateFrom, lateFee }) => lateFrom !== '' || lateFee === 0,
  { error: catalogueMessages.dayRequired, path: ['lateFrom'] },
)

export const saveLateFee = endpoint('POST /api/office/catalogue/saveLateFee', {
  summary:
    'Sets, changes or ends the late fee of events of a season, all of them or none. What is enrolled stays.',
  body: z
    .strictObject({
      FYear: seasonLabel,
      events: z
        .array(z.strictObject({ eventYearId: bodyId, version: bodyId }))
        .check(z.minLength(1, catalogueMessages.eventsChosen), z.maxLength(100)),
      ...lateFeeValues,
    })
    .check(lateFeeWhole, lateDayGiven),
})

/** What a school has to know: a late fee that counts, or will before entries close. */
const told = z.object({
  /** The first day (IST) on which an entry costs more */
  from: z.string(),
  /** In rupees, per head and subject */
  fee: z.number(),
  subjects: z.array(z.string()),
  /** It counts today */
  inForce: z.boolean(),
  /** Of all subjects that can still be entered */
  all: z.boolean(),
})
export type LateFeeNotification = z.output<typeof told>

export const lateFees = endpoint('GET /api/ManageSchool/Get_Late_Fees', {
  summary:
    'The late fees of subjects that can still be entered in an open season, those that come first at first.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(told) }),
})
