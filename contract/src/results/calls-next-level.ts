import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, schoolName, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { officeMessages } from '../office/messages.ts'
import { eventQuery } from './calls.ts'
import { resultJob } from './calls-office.ts'

/** Invitations to the next level as a school sees them: its own students, whom it accepts or declines until a day. */

const invitationAnswers = ['yes', 'no'] as const
export type InvitationAnswer = (typeof invitationAnswers)[number]

const invitedChild = z.object({
  studentId: z.int(),
  studentName: z.string(),
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  nioRollNo: z.string(),
  /** Withdrawn by the foundation; there is nothing left to answer */
  withdrawn: z.boolean(),
  answer: z.enum(['', 'yes', 'no']),
  note: z.string(),
  answeredBy: z.string(),
  answeredAt: z.nullable(z.string()),
})
export type InvitedChild = z.output<typeof invitedChild>

const invitations = z.object({
  eventYearId: z.int(),
  subjectName: z.string(),
  eventLetter: z.string(),
  /** The level of the invitation */
  level: z.int(),
  /** `2027-02-10`; until the end of that day */
  answerBy: z.string(),
  daysLeft: z.int(),
  /** The foundation's note to schools */
  note: z.string(),
  /** Exam days of that level, if the season has them already */
  examDates: z.array(z.string()),
  children: z.array(invitedChild),
  can: z.object({ answer: allowance }),
})
export type SchoolInvitations = z.output<typeof invitations>

export const schoolInvitations = endpoint('GET /api/ManageResult/Get_Invitations', {
  summary: "The students of the caller's school who are invited to the next level, by subject.",
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(invitations) }),
})

export const answerInvitations = endpoint('POST /api/ManageResult/Answer_Invitations', {
  summary:
    "Accepts or declines invitations of several students of the caller's school; can be changed until the last day.",
  body: z.strictObject({
    eventYearId: bodyId,
    answers: z
      .array(
        z.strictObject({
          studentId: bodyId,
          answer: z.enum(invitationAnswers),
          /** The answer shown until now: if a colleague has given another one since, this one is refused */
          was: z.optional(invitedChild.shape.answer),
          /** Reason for declining, for the foundation */
          note: optionalText(300),
        }),
      )
      .check(z.minLength(1), z.maxLength(1000)),
  }),
  answer: z.object({ answered: z.int() }),
})

/**
 * Invitations to the next level in the office: a list made from an event's released results, changed by hand with
 * reasons, approved by a second person, sent to the schools, answered by them.
 */

/** Stages of a list: being prepared, approved and ready to send, being sent, sent. */
const roundStages = ['none', 'draft', 'approved', 'sending', 'sent'] as const
export type RoundStage = (typeof roundStages)[number]

const counts = {
  /** By the season's rules, in the version the list is based on */
  eligible: z.int(),
  invited: z.int(),
  byHand: z.int(),
  leftOut: z.int(),
  /** Schools still to be notified, of an invitation or its withdrawal */
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
  /** The version schools see; null if none is released */
  visibleVersion: z.nullable(z.int()),
  /** The version the list is based on; null before the list is made */
  listVersion: z.nullable(z.int()),
  /** How many would be on the list by the version schools see now */
  eligibleNow: z.int(),
  answerBy: z.nullable(z.string()),
}
const roundLine = z.object({ ...roundHead, ...counts })
export type RoundLine = z.output<typeof roundLine>

export const nextLevelRounds = endpoint('GET /api/office/nextLevel/rounds', {
  summary: 'The events of a season with a next level, and the stage of their invitations.',
  query: z.strictObject({ season: seasonLabel }),
  answer: z.object({ data: z.array(roundLine) }),
})

export const nextLevelRound = endpoint('GET /api/office/nextLevel/round', {
  summary: 'A list of invitations: its stage, its counts by class and by state, and what the caller may do.',
  query: eventQuery,
  answer: z.object({
    round: z.object({
      ...roundHead,
      ...counts,
      version: z.int(),
      note: z.string(),
      madeBy: z.string(),
      approvedBy: z.string(),
      approvedAt: z.nullable(z.string()),
      /** Students added or dropped by a correction of the results since */
      added: z.int(),
      removed: z.int(),
      /** Schools to e-mail now, about how many students; how many of them have no user, or withheld results */
      schools: z.int(),
      children: z.int(),
      nobody: z.int(),
      withheld: z.int(),
      /** Schools with unanswered invitations; how many of them can be reminded now */
      open: z.int(),
      due: z.int(),
      job: z.nullable(resultJob),
      can: z.object({ change: allowance, approve: allowance, send: allowance, remind: allowance }),
    }),
    classes: z.array(z.object({ key: z.string(), label: z.string(), ...counts })),
    states: z.array(z.object({ key: z.string(), label: z.string(), ...counts })),
  }),
})
export type NextLevelRound = z.output<typeof nextLevelRound.answer>['round']

const terms = {
  /** Last day for answers */
  answerBy: z.iso.date(officeMessages.answerDayRequired),
  /** Shown to schools beside the list: where the exam is, what it costs */
  note: optionalText(1000),
}

export const makeNextLevel = endpoint('POST /api/office/nextLevel/make', {
  summary: 'Makes the list of an event from the results schools see: everyone who is eligible by its rules.',
  body: z.strictObject({ eventYearId: bodyId, ...terms }),
})

/** The list as the caller saw it; a change by someone else since is refused. */
const roundVersion = { eventYearId: bodyId, version: bodyId }

export const saveNextLevel = endpoint('POST /api/office/nextLevel/save', {
  summary: 'Changes the last day for answers and the note to schools; an unsent list must be approved again.',
  body: z.strictObject({ ...roundVersion, ...terms }),
})

export const takeOverNextLevel = endpoint('POST /api/office/nextLevel/takeOver', {
  summary:
    'Updates the list with the corrected results; decisions made by hand stay, and no one is notified yet.',
  body: z.strictObject({ ...roundVersion, visibleVersion: bodyId }),
  answer: z.object({ added: z.int(), removed: z.int() }),
})

export const decideNextLevel = endpoint('POST /api/office/nextLevel/decide', {
  summary:
    'Invites students by hand or leaves them out, with a reason, or lets the rules decide again. The list must be approved again.',
  body: z.strictObject({
    ...roundVersion,
    studentIds: z.array(bodyId).check(z.minLength(1), z.maxLength(500)),
    as: z.enum(['invite', 'leave', 'rules']),
    reason: text(messages.reasonRequired, 300),
  }),
  answer: z.object({ changed: z.int() }),
})

export const approveNextLevel = endpoint('POST /api/office/nextLevel/approve', {
  summary: 'Approves a list; not by a person who made it or decided on one of its students.',
  body: z.strictObject(roundVersion),
})

const invitationMails = ['invitation', 'withdrawal', 'reminder'] as const
export type InvitationMail = (typeof invitationMails)[number]

const mailText = z.object({ subject: z.string(), text: z.string() })

export const nextLevelMail = endpoint('GET /api/office/nextLevel/mail', {
  summary:
    'The e-mail a school would get now, in both languages, and its recipients; the first school by default.',
  query: z.extend(eventQuery, {
    kind: z.enum(invitationMails),
    schCode: z.optional(z.string().check(z.maxLength(20))),
  }),
  answer: z.object({
    mail: z.nullable(
      z.object({ ...schoolName, children: z.int(), to: z.array(z.string()), en: mailText, hi: mailText }),
    ),
  }),
})

export const sendNextLevel = endpoint('POST /api/office/nextLevel/send', {
  summary:
    'Notifies the schools of an approved list of everything new: one e-mail each, as a background job.',
  body: z.strictObject(roundVersion),
  answer: z.object({ jobId: z.string() }),
})

export const remindNextLevel = endpoint('POST /api/office/nextLevel/remind', {
  summary: 'Reminds schools with unanswered invitations; each school at most once a day.',
  body: z.strictObject({ eventYearId: bodyId }),
  answer: z.object({ jobId: z.string() }),
})
