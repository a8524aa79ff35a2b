import * as z from 'zod/mini'
import { userDetails } from '../accounts/calls.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, text } from '../fields.ts'
import { messages } from '../messages.ts'

export const actingMinutes = ['15', '30', '60'] as const

export const actingForm = z.strictObject({
  reason: text(messages.reasonRequired, 300),
  minutes: z._default(z.enum(actingMinutes), '30'),
})

/** An officer signed in as a school: with a reason, for a limited time, visible to the school. */

export const startActing = endpoint('POST /api/office/acting/start', {
  summary:
    "Signs an officer in as a school, with its coordinator's account; actions are recorded under both names and shown to the school.",
  body: z.strictObject({ ...actingForm.shape, id: bodyId }),
  answer: z.object({ token: z.string(), userDetails, officer: z.string(), until: z.string() }),
})

export const endActing = endpoint('POST /api/Account/EndActing', {
  summary: "Ends an officer's session as a school.",
})

const actingSession = z.object({
  id: z.int(),
  officer: z.string(),
  reason: z.string(),
  startedAt: z.string(),
  /** Null while it is active */
  endedAt: z.nullable(z.string()),
  /** The account that was used */
  account: z.string(),
  /** What was changed, in order */
  acts: z.array(z.object({ at: z.string(), action: z.string() })),
})
export type ActingSession = z.output<typeof actingSession>

export const actingSessions = endpoint('GET /api/ManageSchool/ActingSessions', {
  summary: 'When officers were signed in as this school in the last 90 days, why, and what they did.',
  answer: z.object({ data: z.array(actingSession) }),
})
