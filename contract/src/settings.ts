import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { bodyId, email, queryId, text } from './fields.ts'
import { messages } from './messages.ts'

/** What the office sets for the whole portal, and the long work of all features. */

export const foundationForm = z.strictObject({
  name: text(messages.foundationNameRequired, 120),
  supportPhone: text(messages.supportPhoneRequired, 40),
  supportEmail: email(messages.emailRequired, messages.emailInvalid),
  supportHours: text(messages.supportHoursRequired, 120),
})

export const foundationSettings = endpoint({
  method: 'GET',
  path: '/api/office/settings/foundation',
  summary: 'The name of the foundation and how schools and families reach it.',
  answer: z.object({
    name: z.string(),
    supportPhone: z.string(),
    supportEmail: z.string(),
    supportHours: z.string(),
    version: z.int(),
  }),
})

export const saveFoundation = endpoint({
  method: 'POST',
  path: '/api/office/settings/saveFoundation',
  summary:
    'Changes the name of the foundation and how it is reached: on pages, receipts, letters and mails from now on.',
  body: z.strictObject({ ...foundationForm.shape, version: bodyId }),
})

export const jobStates = ['open', 'failed', 'all'] as const

const job = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  done: z.int(),
  total: z.int(),
  season: z.string(),
  /** Of a school's own work */
  schName: z.string(),
  error: z.string(),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type OfficeJob = z.output<typeof job>

export const officeJobs = endpoint({
  method: 'GET',
  path: '/api/office/jobs/list',
  summary: 'Long work by state, the newest first, 50 to a page.',
  query: z.strictObject({ state: z._default(z.enum(jobStates), 'open'), page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(job), total: z.int(), pageSize: z.int() }),
})

export const stopJob = endpoint({
  method: 'POST',
  path: '/api/office/jobs/cancel',
  summary: 'Stops long work that waits or runs; what is done by then stays.',
  body: z.strictObject({ id: z.string().check(z.regex(/^[\w-]{1,40}$/)) }),
})
