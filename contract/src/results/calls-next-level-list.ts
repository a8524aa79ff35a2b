import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, pages, queryId, schoolName } from '../fields.ts'
import { eventQuery } from './calls.ts'

/** The students invited to the next level, and what a correction of the results changes in that list. */

/**
 * `toInvite`, `toWithdraw`: the school has not been notified yet; `waiting`, `yes`, `no`: it has, and this is its
 * answer; `left`: not invited, and never was.
 */
export const invitationStatuses = [
  'toInvite',
  'waiting',
  'yes',
  'no',
  'left',
  'toWithdraw',
  'withdrawn',
] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

const because = z.object({
  by: z.enum(['olympiad', 'zonal', 'state', 'class']),
  rank: z.int(),
  upToRank: z.int(),
  /** What was reached and what was needed, in percent of the maximum */
  percent: z.number(),
  neededPercent: z.number(),
})

const invitationRow = z.object({
  studentId: z.int(),
  /** The result the list is based on, for its reasons */
  resultId: z.string(),
  studentName: z.string(),
  nioRollNo: z.string(),
  className: z.string(),
  section: z.string(),
  ...schoolName,
  city: z.string(),
  state: z.string(),
  marks: z.number(),
  olympiadRank: z.nullable(z.int()),
  classRank: z.nullable(z.int()),
  eligible: z.boolean(),
  /** The clause of the rules that is met; null if none is */
  because: z.nullable(because),
  status: z.enum(invitationStatuses),
  byHand: z.boolean(),
  reason: z.string(),
  decidedBy: z.string(),
  /** The school's results in this event are withheld; it is not notified until they are shown */
  withheld: z.boolean(),
  answerNote: z.string(),
  answeredBy: z.string(),
  answeredAt: z.nullable(z.string()),
})
export type InvitationRow = z.output<typeof invitationRow>

const invitationFilters = {
  /** Words of a name, a roll no or a school's code */
  search: optionalText(100),
  state: optionalText(100),
  classId: z._default(z.string().check(z.regex(/^\d{0,2}$/)), ''),
  status: z._default(z.enum(['', ...invitationStatuses]), ''),
  /** Whether the rules or a person decided */
  how: z._default(z.enum(['', 'rules', 'hand']), ''),
}

export const nextLevelList = endpoint('GET /api/office/nextLevel/list', {
  summary: 'The students of a list that match the filters, best first, 50 a page.',
  query: z.strictObject({ eventYearId: queryId, ...invitationFilters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(invitationRow), total: z.int(), pageSize: z.int() }),
})

/** POST, because students' names leave the portal, which is logged. */
export const exportNextLevel = endpoint('POST /api/office/nextLevel/export', {
  summary: 'All students of a list that match the filters, with their answers, as a spreadsheet.',
  body: z.strictObject({ eventYearId: bodyId, ...invitationFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

const differenceRow = z.object({
  studentId: z.int(),
  studentName: z.string(),
  nioRollNo: z.string(),
  className: z.string(),
  ...schoolName,
  /** Whether the student was added to the list or dropped from it */
  change: z.enum(['added', 'removed']),
  /** For a student who was dropped: whether the school has been notified already */
  notified: z.boolean(),
  before: z.nullable(z.int()),
  after: z.nullable(z.int()),
})
export type DifferenceRow = z.output<typeof differenceRow>

export const nextLevelDifference = endpoint('GET /api/office/nextLevel/difference', {
  summary: 'What a correction of the results changes in a list: who is newly eligible, and who no longer is.',
  query: z.extend(eventQuery, { page: z._default(queryId, 1) }),
  answer: z.object({ listVersion: z.int(), visibleVersion: z.int(), data: z.array(differenceRow), ...pages }),
})

const candidate = z.object({
  studentId: z.int(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  ...schoolName,
  marks: z.number(),
  olympiadRank: z.nullable(z.int()),
  classRank: z.nullable(z.int()),
  /** True, or why the student can't be added */
  can: allowance,
})

export const nextLevelCandidate = endpoint('GET /api/office/nextLevel/candidate', {
  summary: 'A student with a result in the event, by exam roll no, to be invited by hand.',
  query: z.extend(eventQuery, { nioRollNo: z.string().check(z.maxLength(40)) }),
  answer: z.object({ candidate: z.nullable(candidate) }),
})
