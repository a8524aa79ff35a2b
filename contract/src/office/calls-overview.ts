import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, schoolName, seasonLabel } from '../fields.ts'

/** The office's overview: what needs attention, progress of the season, and schools to remind. */

/** The number of open items in each season that has some, newest first. */
const inSeasons = z.nullable(z.array(z.object({ FYear: z.string(), n: z.int() })))
export type SeasonalWaiting = NonNullable<z.output<typeof inSeasons>>[number]

/** The steps of setting up a new office, and whether each is done. */
const firstSteps = z.object({
  season: z.boolean(),
  /** A season that is not closed has events with dates and prices */
  events: z.boolean(),
  /** At least two officers have access or are invited */
  people: z.boolean(),
  /** Accounts for registration and books exist or are proposed */
  accounts: z.boolean(),
  /** A season is open for schools */
  open: z.boolean(),
  schools: z.boolean(),
})
export type FirstSteps = z.output<typeof firstSteps>

export const officeWaiting = endpoint('GET /api/office/overview/waiting', {
  summary: 'How many items of each kind need attention; null if the role may not read them.',
  answer: z.object({
    applications: z.nullable(z.int()),
    contacts: z.nullable(z.int()),
    /** Schools with a note whose follow-up is due */
    followUps: z.nullable(z.int()),
    /** Refunds to be approved by a second person, or to be paid */
    refunds: z.nullable(z.int()),
    /** Bank account changes to be approved by a second person */
    accounts: z.nullable(z.int()),
    /** Open requests about students' data */
    requests: z.nullable(z.int()),
    /** E-mails that were given up */
    mails: z.nullable(z.int()),
    /** Open breaches of personal data */
    incidents: z.nullable(z.int()),
    payments: inSeasons,
    /** Undecided lines of bank statements */
    bankLines: inSeasons,
    waivers: inSeasons,
    /** Schools with something paid and not packed */
    packets: inSeasons,
    questions: inSeasons,
    /** Computed result sets to be approved by a second person */
    results: inSeasons,
    /** Next-level lists to be approved by a second person */
    nextLevel: inSeasons,
    /** Since when the oldest item of each kind has been open, for kinds that have one and that the role may read */
    oldest: z.record(z.string(), z.string()),
    /** Until there is an open season, an account and a school; only for roles that may set them up */
    firstSteps: z.nullable(firstSteps),
  }),
})

const figures = z.object({
  takenAt: z.string(),
  schools: z.int(),
  /** Schools with students in the season */
  entered: z.int(),
  students: z.int(),
  /** Students whose registration fee is verified */
  paid: z.int(),
  entries: z.int(),
  /** The previous season up to the same day of its year; null if it had nothing */
  before: z.nullable(
    z.object({
      season: z.string(),
      day: z.string(),
      entered: z.int(),
      students: z.int(),
      entries: z.int(),
      /** In rupees; 0 if the role may not read payments */
      received: z.number(),
    }),
  ),
  /** In rupees; null if the role may not read payments */
  money: z.nullable(
    z.object({
      /** Everything to be paid: received, being verified and outstanding */
      due: z.number(),
      received: z.number(),
      verifying: z.number(),
      outstanding: z.number(),
    }),
  ),
  /** The last 30 days (IST): active students by day of entry, rupees received (0 if the role may not read it) */
  days: z.array(z.object({ day: z.string(), students: z.int(), received: z.number() })),
  states: z.array(z.object({ state: z.string(), schools: z.int(), students: z.int(), paid: z.int() })),
  subjects: z.array(z.object({ letter: z.string(), name: z.string(), students: z.int(), paid: z.int() })),
})
export type SeasonFigures = z.output<typeof figures>

export const seasonProgress = endpoint('GET /api/office/overview/progress', {
  summary:
    "A season's figures as last counted, and whether a new count is running; null before the first count.",
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ figures: z.nullable(figures), counting: z.boolean() }),
})

export const nextSteps = ['enrol', 'pay', 'choose-dates'] as const
export type NextStepKind = (typeof nextSteps)[number]

const reminderRow = z.object({
  id: z.int(),
  ...schoolName,
  city: z.string(),
  state: z.string(),
  step: z.enum(nextSteps),
  /** Last day for it; null if none is set */
  until: z.nullable(z.string()),
  /** Negative once it is over; null without a day */
  daysLeft: z.nullable(z.int()),
  students: z.int(),
  /** Outstanding rupees; null if the role may not read payments */
  due: z.nullable(z.number()),
  /** Users of the school, who can be e-mailed */
  people: z.int(),
  /** The school's WhatsApp number, or its phone */
  phone: z.string(),
  /** How many of their addresses bounce */
  bounced: z.int(),
  lastReminder: z.nullable(z.object({ at: z.string(), by: z.string() })),
  /** Whether a reminder can be sent now, or the code of the reason it can't */
  can: z.union([z.literal(true), z.enum(['recent', 'nobody'])]),
})
export type ReminderRow = z.output<typeof reminderRow>

/** Most days left; `over`: none. */
export const reminderSpans = ['over', '3', '7', '30'] as const

const reminderFilters = {
  FYear: seasonLabel,
  /** Words of a school's name, its code or phone numbers */
  search: optionalText(100),
  step: z._default(z.enum(['', ...nextSteps]), ''),
  state: optionalText(100),
  /** Most days left; empty: all */
  within: z._default(z.enum(['', ...reminderSpans]), ''),
}

export const reminderList = endpoint('GET /api/office/reminders/list', {
  summary: 'Schools by next step and days left, 50 a page.',
  query: z.strictObject({ ...reminderFilters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(reminderRow), total: z.int(), pageSize: z.int() }),
})

/** POST, because it writes to the audit log. */
export const exportReminderList = endpoint('POST /api/office/reminders/export', {
  summary:
    'All schools that match the filters with their next step, the days left and their last reminder, as a spreadsheet.',
  body: z.strictObject({ ...reminderFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const maxReminders = 500

export const sendReminders = endpoint('POST /api/office/reminders/send', {
  summary:
    'Reminds schools of their next step by e-mail. Skips schools reminded in the last three days, without a recipient, or done with it since.',
  body: z.strictObject({
    FYear: seasonLabel,
    ids: z.array(bodyId).check(z.minLength(1), z.maxLength(maxReminders)),
  }),
  answer: z.object({ sent: z.int(), mails: z.int(), leftOut: z.int() }),
})

/** The search in the header: records of all kinds, found by a name or a number. */

export const searchHitKinds = ['school', 'student', 'payment', 'bankLine', 'packet', 'person'] as const
export type SearchHitKind = (typeof searchHitKinds)[number]

/** Most hits of each kind */
export const maxHits = 5
/** A shorter text finds nothing. */
export const shortestSearch = 2

const searchHit = z.object({
  kind: z.enum(searchHitKinds),
  /** For a person: the id of the school */
  id: z.int(),
  title: z.string(),
  /** What distinguishes it from others of the same name: codes, names, amounts */
  facts: z.array(z.string()),
  /** '' if it belongs to no season */
  FYear: z.string(),
  /** The state it is listed under, for payments and bank lines; otherwise '' */
  state: z.string(),
})
export type SearchHit = z.output<typeof searchHit>

export const officeSearch = endpoint('GET /api/office/search', {
  summary: `Schools by name, code, UDISE, phone or city; students by name or exam roll no; payments by receipt no, reference or UTR; bank lines by UTR; parcels by number or tracking no; people of schools by e-mail. At most ${maxHits} of each kind, of kinds that the role may read. Contacts of families are no part of it.`,
  query: z.strictObject({ search: optionalText(100) }),
  answer: z.object({ data: z.array(searchHit) }),
})
