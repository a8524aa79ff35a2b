import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** A field of the input that was refused: `path` as in the input (`parentMobileNo`, `rows.3.section`). */
export interface Issue {
  path: string
  message: string
}

/** Every answer carries `result` and `message`; fields of the call stand beside them. */
export interface Success {
  result: 'success'
  message: string
}

/** What any call can answer instead; `id` names the log line of an internal error, never its cause. */
export interface Failure {
  result: 'error'
  message: string
  code: ErrorCode
  issues?: Issue[]
  id?: string
}

export const failureSchema = z.object({
  result: z.literal('error'),
  message: z.string(),
  code: z.string(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  id: z.optional(z.string()),
})

/** What a caller may do with a record: true, or the code of the reason why not. */
export const allowance = z.union([z.literal(true), z.string()])
