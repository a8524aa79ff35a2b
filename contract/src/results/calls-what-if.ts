import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { eventQuery } from './calls.ts'
import { resultJob } from './calls-office.ts'
import { eventRules, eventSection } from './schemas.ts'

/** An event's rules with all their versions, and a simulation of other rules on an earlier season's results. */

const version = z.object({
  version: z.int(),
  /** Why they were changed; empty for the first */
  note: z.string(),
  savedBy: z.string(),
  savedAt: z.nullable(z.string()),
  rules: eventRules,
})
export type RulesVersion = z.output<typeof version>

export const rulesOfEvent = endpoint('GET /api/office/results/rules', {
  summary:
    'The rules of an event, newest version first, and the earlier results that other rules can be tried on.',
  query: eventQuery,
  answer: z.object({
    eventYearId: z.int(),
    FYear: z.string(),
    sections: z.array(eventSection),
    rulesVersion: z.int(),
    versions: z.array(version),
    /** The newest earlier season with results in this subject; null if there is none */
    base: z.nullable(z.object({ FYear: z.string(), students: z.int(), events: z.int() })),
    can: z.object({ save: allowance }),
  }),
})

export const tryRules = endpoint('POST /api/office/results/whatIf', {
  summary: 'Simulates these rules on an earlier season, as a background job. Changes no results.',
  body: z.strictObject({
    eventYearId: bodyId,
    rules: eventRules,
    /** Only this subject, or the changed rules in all subjects of that season */
    on: z.enum(['event', 'season']),
  }),
  answer: z.object({ jobId: z.string() }),
})

export const whatIfFields = ['medal', 'prize', 'award', 'nextLevel'] as const
export type WhatIfField = (typeof whatIfFields)[number]

const tally = z.object({
  before: z.int(),
  after: z.int(),
  gained: z.int(),
  lost: z.int(),
  /** Would get another one */
  changed: z.int(),
  kept: z.int(),
})
export type WhatIfTally = z.output<typeof tally>

const child = z.object({
  examRollNo: z.string(),
  studentName: z.string(),
  className: z.string(),
  schName: z.string(),
  /** Olympiad rank as it was and as it would be */
  rank: z.nullable(z.int()),
  newRank: z.nullable(z.int()),
  changes: z.array(z.object({ field: z.enum(whatIfFields), from: z.string(), to: z.string() })),
})
export type WhatIfChild = z.output<typeof child>

const outcome = z.object({
  eventYearId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examLevel: z.int(),
  FYear: z.string(),
  students: z.int(),
  /** Students whose olympiad rank would change */
  ranks: z.int(),
  touched: z.int(),
  medal: tally,
  prize: tally,
  award: tally,
  nextLevel: tally,
  /** At most 100 of the changed students, by class and rank */
  children: z.array(child),
})
export type WhatIfOutcome = z.output<typeof outcome>

export const whatIfState = endpoint('GET /api/office/results/whatIf', {
  summary: 'Progress and result of a simulation of rules.',
  query: z.strictObject({ jobId: z.string().check(z.maxLength(40)) }),
  answer: z.object({ job: resultJob, events: z.array(outcome) }),
})
