import * as z from 'zod/mini'
import { text } from '../fields.ts'
import { messages } from '../messages.ts'

export const visitMinutes = ['15', '30', '60'] as const

export const visitForm = z.strictObject({
  reason: text(messages.reasonRequired, 300),
  minutes: z._default(z.enum(visitMinutes), '30'),
})
