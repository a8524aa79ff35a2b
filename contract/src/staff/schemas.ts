import * as z from 'zod/mini'
import { text } from '../fields.ts'
import { messages } from '../messages.ts'

export const actingMinutes = ['15', '30', '60'] as const

export const actingForm = z.strictObject({
  reason: text(messages.reasonRequired, 300),
  minutes: z._default(z.enum(actingMinutes), '30'),
})
