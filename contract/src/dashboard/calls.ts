import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { queryId, seasonLabel } from '../fields.ts'
import { moneyAnswer } from '../payments/calls.ts'
import { paymentKinds } from '../payments/rules.ts'

/** The school's dashboard: totals, dates, steps of the season, the chart, forms to download. */

const ofSeason = z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) })

export const dashboardSummary = endpoint('GET /api/ManageSchool/Get_DashBoard_Summary', {
  summary: "A school's totals for a season, each with a figure for comparison.",
  query: ofSeason,
  answer: z.object({
    totalStudent: z.int(),
    totalBook: z.int(),
    /** Active students in the previous season; null if the school had none */
    lastSeasonStudent: z.nullable(z.int()),
    /** Students with at least one book */
    bookStudent: z.int(),
    teacherQuestion: z.int(),
    acceptedQuestion: z.int(),
    /** Families that have opened their link */
    uniqueVisitor: z.int(),
  }),
})

const olympiadDate = z.object({
  eventLetter: z.string(),
  eventName: z.string(),
  /** `2026-12-03` */
  firstDate: z.nullable(z.string()),
  secondDate: z.nullable(z.string()),
  examMode: z.enum(['Online', 'Offline']),
})
export type OlympiadDate = z.output<typeof olympiadDate>

export const olympiadDates = endpoint('GET /api/ManageSchool/GetOlympiadDate', {
  summary:
    'The two dates of each olympiad of a season, with its mode; whether the season has forms to download.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({
    data: z.array(olympiadDate),
    /** Whether `downloadForm` has forms: not before the office has opened the season */
    forms: z.boolean(),
  }),
})

const olympiadFee = z.object({
  eventLetter: z.string(),
  eventName: z.string(),
  /** Lowest and highest price of an entry among the classes, in rupees, with today's late fee */
  from: z.number(),
  to: z.number(),
  /** The last day for entries (IST), `2026-10-31` */
  closesOn: z.string(),
})
export type OlympiadFee = z.output<typeof olympiadFee>

export const olympiadFees = endpoint('GET /api/ManageSchool/Get_Olympiad_Fees', {
  summary: 'The price of an entry in each olympiad of an open season; empty for other seasons.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(olympiadFee) }),
})

const stepKeys = ['school', 'students', 'books', 'payment', 'dates', 'signoff', 'results'] as const
export type StepKey = (typeof stepKeys)[number]

const step = z.object({
  key: z.enum(stepKeys),
  state: z.enum(['done', 'now', 'later']),
  /** The day of the step: verified on, fee due on, results from */
  day: z.nullable(z.string()),
  /** The number of the step: students entered, books ordered, dates chosen, lists signed off */
  count: z.nullable(z.int()),
})
export type Step = z.output<typeof step>

export const seasonTrack = endpoint('GET /api/ManageSchool/Get_Season_Track', {
  summary: "The steps of a school's season, and the next one.",
  query: ofSeason,
  answer: z.object({
    steps: z.array(step),
    next: z.nullable(
      z.object({
        key: z.enum(stepKeys),
        /** Rupees to pay now, after the school's share; null for other steps */
        payable: z.nullable(z.number()),
        retained: z.nullable(z.number()),
        /** Students covered by the amount to pay, their entries, and the books, library orders included */
        students: z.int(),
        entries: z.int(),
        books: z.int(),
        /** Last day for the step, and the days left */
        until: z.nullable(z.string()),
        daysLeft: z.nullable(z.int()),
        /** Whether a payment of the school is waiting for verification */
        beingVerified: z.boolean(),
        /** Class lists of exams already held whose attendance is not entered */
        attendance: z.int(),
      }),
    ),
    money: moneyAnswer,
    /** The latest rejected payment for a fee that is still due */
    rejected: z.nullable(
      z.object({
        paymentFor: z.enum(paymentKinds),
        /** Amount in rupees, as it was sent */
        amount: z.number(),
        reason: z.string(),
      }),
    ),
    examsFrom: z.nullable(z.string()),
    resultsFrom: z.nullable(z.string()),
  }),
})
export type SeasonTrackAnswer = z.output<(typeof seasonTrack)['answer']>

export const studentsBySubject = endpoint('GET /api/ManageSchool/Get_Students_By_Subject', {
  summary: "A school's students in each subject of a season, and how many are paid.",
  query: ofSeason,
  answer: z.object({
    data: z.array(
      z.object({
        eventLetter: z.string(),
        subjectName: z.string(),
        littleStar: z.boolean(),
        total: z.int(),
        paid: z.int(),
      }),
    ),
  }),
})

export const studentsByClass = endpoint('GET /api/ManageSchool/Get_Students_By_Class', {
  summary: "A school's students in each class of a season, and how many are paid.",
  query: ofSeason,
  answer: z.object({
    data: z.array(z.object({ classId: z.int(), className: z.string(), total: z.int(), paid: z.int() })),
  }),
})

const deadlineKinds = ['payment', 'enrolment', 'late', 'dates', 'invitations'] as const

const deadline = z.object({
  kind: z.enum(deadlineKinds),
  /** The season whose pages have it: for invitations it may be an earlier one, since they are answered after its end */
  season: z.string(),
  /** The last day (IST), `2026-11-30` */
  day: z.string(),
  /** 0 on the last day; negative for an overdue fee */
  daysLeft: z.int(),
  /** Names of the olympiads with this deadline; none for a fee */
  subjects: z.array(z.string()),
  /** How many more deadlines of this kind are on later days */
  later: z.int(),
  /** Amount to pay in rupees; 0 for other kinds */
  amount: z.number(),
  /** How many of these olympiads have students who must be paid for before the date can be chosen */
  unpaid: z.int(),
})
export type Deadline = z.output<typeof deadline>

export const deadlines = endpoint('GET /api/ManageSchool/Get_Deadlines', {
  summary:
    "A school's deadlines in a season: the next of each kind, most urgent first; invitations also of earlier seasons.",
  query: ofSeason,
  answer: z.object({ data: z.array(deadline) }),
})

export const formKinds = ['school', 'books', 'students'] as const
export type FormKind = (typeof formKinds)[number]

export const downloadForm = endpoint('GET /api/ManageSchool/Get_Form', {
  summary:
    "The school registration, book order or student registration form as PDF, filled with the school's data or blank; blank for whoever waits for a school.",
  query: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(queryId),
    form: z.enum(formKinds),
    /** `1`: an empty form, filled in only with the school it is for */
    blank: z.optional(z.enum(['0', '1'])),
  }),
  answers: 'file',
})
