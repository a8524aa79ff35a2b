import type { BodyOf, QueryOf } from '@podium/contract/endpoint'
import type { mailingPlan, testMailing } from '@podium/contract/schools/calls-mailings'
import type { Answer } from '#shell/call.ts'

/** How many schools an e-mail goes to. */
export type MailingPlan = Answer<typeof mailingPlan>
/** Which schools are asked for. */
export type Asked = QueryOf<typeof mailingPlan>
/** What was written, and for which schools. */
export type Written = BodyOf<typeof testMailing>
