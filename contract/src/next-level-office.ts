import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { allowance } from './envelope.ts'
import { bodyId, optionalText, queryId, seasonLabel, text } from './fields.ts'
import { messages } from './messages.ts'
import { eventQuery } from './results.ts'
import { resultJob } from './results-office.ts'

/**
 * The way to the next level in the office: a list made from the released results of an event, changed by hand with
 * reasons, approved by a second person, sent to the schools, answered by them.
 */

/** Where a list stands: being made up, approved and to be sent, being sent, all sent. */
export const roundStages = ['none', 'draft', 'approved', 'sending', 'sent'] as const
export type RoundStage = (typeof roundStages)[number]

/**
 * Where a child stands. `toInvite` and `toWithdraw`: the school has not been told yet; `waiting`, `yes`, `no`: it has, and
 * this is its answer; `left`: not invited, and never was.
 */
export const invitationStandings = [
  'toInvite',
  'waiting',
  'yes',
  'no',
  'left',
  'toWithdraw',
  'withdrawn',
] as const
export type InvitationStanding = (typeof invitationStandings)[number]

const counts = {
  /** By the rules of the season, in the version by which the list stands */
  eligible: z.int(),
  invited: z.int(),
  byHand: z.int(),
  leftOut: z.int(),
  /** Schools have not been told yet: to be invited, or to be taken back */
  pending: z.int(),
  yes: z.int(),
  no: z.int(),
  waiting: z.int(),
}
const countLine = z.object(counts)
export type InvitationCounts = z.output<typeof countLine>

const roundHead = {
  eventYearId: z.int(),
  season: z.string(),
  subjectName: z.string(),
  eventLetter: z.string(),
  examLevel: z.int(),
  /** The level that it leads to */
  level: z.int(),
  stage: z.enum(roundStages),
  /** The version that schools see; null while nothing is out */
  visibleVersion: z.nullable(z.int()),
  /** The version by which the list stands; null before it was made */
  listVersion: z.nullable(z.int()),
  /** Who would be on the list by what schools see now */
  eligibleNow: z.int(),
  answerBy: z.nullable(z.string()),
}
const roundLine = z.object({ ...roundHead, ...counts })
export type RoundLine = z.output<typeof roundLine>

export const nextLevelRounds = endpoint({
  method: 'GET',
  path: '/api/office/nextLevel/rounds',
  summary: 'The events of a season that lead on, with how far their invitations are.',
  query: z.strictObject({ season: seasonLabel }),
  answer: z.object({ data: z.array(roundLine) }),
})

export const nextLevelRound = endpoint({
  method: 'GET',
  path: '/api/office/nextLevel/round',
  summary: 'One list of invitations: its way, its counts by class and by state, and what the caller may do.',
  query: eventQuery,
  answer: z.object({
    round: z.object({
      ...roundHead,
      ...counts,
      version: z.int(),
      note: z.string(),
      madeBy: z.string(),
      madeAt: z.nullable(z.string()),
      approvedBy: z.string(),
      approvedAt: z.nullable(z.string()),
      /** What a correction of the results has changed since: who came to it, who fell out of it */
      added: z.int(),
      removed: z.int(),
      /** Schools that would be written to now; of them those without anybody who can sign in, and those held back */
      schools: z.int(),
      nobody: z.int(),
      held: z.int(),
      /** Schools with children they have not answered for */
      open: z.int(),
      job: z.nullable(resultJob),
      can: z.object({ change: allowance, approve: allowance, send: allowance, remind: allowance }),
    }),
    classes: z.array(z.object({ key: z.string(), label: z.string(), ...counts })),
    states: z.array(z.object({ key: z.string(), label: z.string(), ...counts })),
  }),
})
export type NextLevelRound = z.output<typeof nextLevelRound.answer>['round']

const because = z.object({
  by: z.enum(['olympiad', 'zonal', 'state', 'class']),
  rank: z.int(),
  upToRank: z.int(),
  /** What there was and what was needed, of the maximum */
  percent: z.number(),
  neededPercent: z.number(),
})

const invitationRow = z.object({
  studentId: z.int(),
  /** Of the result by which the list stands, for its reasons */
  resultId: z.string(),
  studentName: z.string(),
  nioRollNo: z.string(),
  className: z.string(),
  section: z.string(),
  schCode: z.string(),
  schName: z.string(),
  city: z.string(),
  state: z.string(),
  marks: z.number(),
  olympiadRank: z.nullable(z.int()),
  classRank: z.nullable(z.int()),
  eligible: z.boolean(),
  /** The clause of the rules that is met; null where none is */
  because: z.nullable(because),
  standing: z.enum(invitationStandings),
  byHand: z.boolean(),
  reason: z.string(),
  decidedBy: z.string(),
  /** The school's results in this event are held back: it is told nothing meanwhile */
  held: z.boolean(),
  answerNote: z.string(),
  answeredBy: z.string(),
  answeredAt: z.nullable(z.string()),
})
export type InvitationRow = z.output<typeof invitationRow>

export const invitationFilters = {
  /** Words of a name, a roll number or a school's code */
  search: optionalText(100),
  state: optionalText(100),
  classId: z._default(z.string().check(z.regex(/^\d{0,2}$/)), ''),
  standing: z._default(z.enum(['', ...invitationStandings]), ''),
  /** Decided by the rules or by a person */
  how: z._default(z.enum(['', 'rules', 'hand']), ''),
}

export const nextLevelList = endpoint({
  method: 'GET',
  path: '/api/office/nextLevel/list',
  summary: 'The children of a list that the filters leave, best first, 50 to a page.',
  query: z.strictObject({ eventYearId: queryId, ...invitationFilters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(invitationRow), total: z.int(), pageSize: z.int() }),
})

/** POST, because it leaves a line in the record: names of children leave the portal. */
export const exportNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/export',
  summary: 'All children of a list that the filters leave, with their answers, as a spreadsheet.',
  body: z.strictObject({ eventYearId: bodyId, ...invitationFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

const terms = {
  /** The last day for answers */
  answerBy: z.iso.date('Please choose the last day for answers.'),
  /** What schools read beside the list: where the exam is, what it costs */
  note: optionalText(1000),
}

export const makeNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/make',
  summary: 'Makes the list of an event from the results that schools see: all who are eligible by its rules.',
  body: z.strictObject({ eventYearId: bodyId, ...terms }),
})

/** The list as the caller saw it: a change of somebody else in between is refused. */
const seenRound = { eventYearId: bodyId, version: bodyId }

export const saveNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/save',
  summary:
    'Changes the last day for answers and what schools read; not yet sent, it has to be approved anew.',
  body: z.strictObject({ ...seenRound, ...terms }),
})

const differenceRow = z.object({
  studentId: z.int(),
  studentName: z.string(),
  nioRollNo: z.string(),
  className: z.string(),
  schCode: z.string(),
  schName: z.string(),
  /** Came to it, or fell out of it */
  change: z.enum(['added', 'removed']),
  /** Where a child that fell out stands: whether its school has been told already */
  told: z.boolean(),
  before: z.nullable(z.int()),
  after: z.nullable(z.int()),
})
export type DifferenceRow = z.output<typeof differenceRow>

export const nextLevelDifference = endpoint({
  method: 'GET',
  path: '/api/office/nextLevel/difference',
  summary: 'What a correction of the results changes in a list: who is newly eligible, who no longer is.',
  query: z.extend(eventQuery, { page: z._default(queryId, 1) }),
  answer: z.object({
    listVersion: z.int(),
    visibleVersion: z.int(),
    data: z.array(differenceRow),
    total: z.int(),
    pageSize: z.int(),
  }),
})

export const takeOverNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/takeOver',
  summary: 'Takes the corrected results over into the list; what a person decided stays, nobody is told yet.',
  body: z.strictObject({ ...seenRound, visibleVersion: bodyId }),
  answer: z.object({ added: z.int(), removed: z.int() }),
})

const candidate = z.object({
  studentId: z.int(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  schCode: z.string(),
  schName: z.string(),
  marks: z.number(),
  olympiadRank: z.nullable(z.int()),
  classRank: z.nullable(z.int()),
  /** Why the child can't be added, or true */
  can: allowance,
})

export const nextLevelCandidate = endpoint({
  method: 'GET',
  path: '/api/office/nextLevel/candidate',
  summary: 'A child with a result in the event, by its exam roll number, to be invited by hand.',
  query: z.extend(eventQuery, { nioRollNo: z.string().check(z.maxLength(40)) }),
  answer: z.object({ candidate: z.nullable(candidate) }),
})

export const decideNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/decide',
  summary:
    'Invites children by hand or leaves them out, with a reason, or lets the rules decide again. The list has to be approved anew.',
  body: z.strictObject({
    ...seenRound,
    studentIds: z.array(bodyId).check(z.minLength(1), z.maxLength(500)),
    as: z.enum(['invite', 'leave', 'rules']),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({ changed: z.int() }),
})

export const approveNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/approve',
  summary: 'Approves a list; not by whoever made it or decided on one of its children.',
  body: z.strictObject(seenRound),
})

export const invitationMails = ['invitation', 'withdrawal', 'reminder'] as const
export type InvitationMail = (typeof invitationMails)[number]

const written = z.object({ subject: z.string(), text: z.string() })

export const nextLevelMail = endpoint({
  method: 'GET',
  path: '/api/office/nextLevel/mail',
  summary:
    'The mail that a school would get now, in both languages, and to whom it goes; the first school where none is named.',
  query: z.extend(eventQuery, {
    kind: z.enum(invitationMails),
    schCode: z.optional(z.string().check(z.maxLength(20))),
  }),
  answer: z.object({
    mail: z.nullable(
      z.object({
        schCode: z.string(),
        schName: z.string(),
        children: z.int(),
        to: z.array(z.string()),
        en: written,
        hi: written,
      }),
    ),
  }),
})

export const sendNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/send',
  summary: 'Tells the schools of an approved list what they do not know yet: one mail each, made by a job.',
  body: z.strictObject(seenRound),
  answer: z.object({ jobId: z.string() }),
})

export const remindNextLevel = endpoint({
  method: 'POST',
  path: '/api/office/nextLevel/remind',
  summary: 'Reminds the schools that have not answered for all their children; a school once a day at most.',
  body: z.strictObject({ eventYearId: bodyId }),
  answer: z.object({ jobId: z.string() }),
})
