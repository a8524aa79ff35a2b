import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel } from '../fields.ts'

/** The office's overview: what waits, how the season goes, and which schools need a reminder. */

/** How much waits in each season that has some, the newest first. */
const inSeasons = z.nullable(z.array(z.object({ FYear: z.string(), n: z.int() })))
export type SeasonalWaiting = NonNullable<z.output<typeof inSeasons>>[number]

/** What a new office sets up, and whether it is done. */
const firstSteps = z.object({
  season: z.boolean(),
  /** A season that is not closed has events, each with dates and prices */
  events: z.boolean(),
  /** Two people are there, or invited */
  people: z.boolean(),
  /** There are accounts for registration and for books, or they were proposed */
  accounts: z.boolean(),
  /** A season is open for schools */
  open: z.boolean(),
  schools: z.boolean(),
})
export type FirstSteps = z.output<typeof firstSteps>

export const officeWaiting = endpoint('GET /api/office/overview/waiting', {
  summary: 'How much of each kind waits for somebody of the office; null where the role may not read it.',
  answer: z.object({
    applications: z.nullable(z.int()),
    contacts: z.nullable(z.int()),
    /** Schools with a note that is to be followed up by today */
    followUps: z.nullable(z.int()),
    /** Refunds, and changes of bank accounts, that wait for a second person */
    refunds: z.nullable(z.int()),
    accounts: z.nullable(z.int()),
    /** Requests about the data of children that are not done */
    requests: z.nullable(z.int()),
    /** Mails that were given up */
    mails: z.nullable(z.int()),
    /** Open breaches of personal data */
    incidents: z.nullable(z.int()),
    payments: inSeasons,
    /** Lines of bank statements that nobody has decided */
    bankLines: inSeasons,
    waivers: inSeasons,
    /** Schools for which something is paid and not packed */
    packets: inSeasons,
    questions: inSeasons,
    /** Computed result sets that wait for the second person */
    results: inSeasons,
    /** Lists of the next level that wait for the second person */
    nextLevel: inSeasons,
    /** Since when the oldest of each kind has been there, of kinds that have one and that the role may read */
    oldest: z.record(z.string(), z.string()),
    /** As long as there is no open season, no account to pay into or no school, for who may set them up */
    firstSteps: z.nullable(firstSteps),
  }),
})

const figures = z.object({
  takenAt: z.string(),
  schools: z.int(),
  /** Schools with students in the season */
  entered: z.int(),
  students: z.int(),
  /** Students whose registration is paid for and verified */
  paid: z.int(),
  entries: z.int(),
  /** The season before up to the same day of its year; null where it had nothing */
  before: z.nullable(
    z.object({
      season: z.string(),
      day: z.string(),
      entered: z.int(),
      students: z.int(),
      entries: z.int(),
      /** In rupees; 0 for who may not read payments */
      received: z.number(),
    }),
  ),
  /** In rupees; null for who may not read payments */
  money: z.nullable(
    z.object({
      /** All that is to be paid: received, being verified and outstanding */
      due: z.number(),
      received: z.number(),
      verifying: z.number(),
      outstanding: z.number(),
    }),
  ),
  /** The last 30 days in IST: students entered and still there, rupees received (0 for who may not read it) */
  days: z.array(z.object({ day: z.string(), students: z.int(), received: z.number() })),
  states: z.array(z.object({ state: z.string(), schools: z.int(), students: z.int(), paid: z.int() })),
  subjects: z.array(z.object({ letter: z.string(), name: z.string(), students: z.int(), paid: z.int() })),
})
export type SeasonFigures = z.output<typeof figures>

export const seasonProgress = endpoint('GET /api/office/overview/progress', {
  summary:
    'The figures of a season as they were counted last, and whether they are being counted anew; null before the first count.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ figures: z.nullable(figures), counting: z.boolean() }),
})

export const nextSteps = ['enrol', 'pay', 'choose-dates'] as const
export type NextStepKind = (typeof nextSteps)[number]

const nudgeRow = z.object({
  id: z.int(),
  schCode: z.string(),
  schName: z.string(),
  city: z.string(),
  state: z.string(),
  step: z.enum(nextSteps),
  /** Last day for it; null where none is set */
  until: z.nullable(z.string()),
  /** Negative when it is over; null without a day */
  daysLeft: z.nullable(z.int()),
  students: z.int(),
  /** Outstanding in rupees; null for who may not read payments */
  due: z.nullable(z.number()),
  /** People who can sign in, and so be written to */
  people: z.int(),
  /** The school's number on WhatsApp, or its phone */
  phone: z.string(),
  /** Those of them whose address e-mails come back from */
  bounced: z.int(),
  lastNudge: z.nullable(z.object({ at: z.string(), by: z.string() })),
  /** Whether a reminder can be sent now, or the code of why not */
  can: z.union([z.literal(true), z.enum(['recent', 'nobody'])]),
})
export type NudgeRow = z.output<typeof nudgeRow>

/** Days that are left at most; over: none. */
export const nudgeSpans = ['over', '3', '7', '30'] as const

const nudgeFilters = {
  FYear: seasonLabel,
  /** Words of a school's name, its code or numbers */
  search: optionalText(100),
  step: z._default(z.enum(['', ...nextSteps]), ''),
  state: optionalText(100),
  /** At most so many days left; empty: all */
  within: z._default(z.enum(['', ...nudgeSpans]), ''),
}

export const nudgeList = endpoint('GET /api/office/nudges/list', {
  summary: 'Schools by their next step and the days that are left, 50 to a page.',
  query: z.strictObject({ ...nudgeFilters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(nudgeRow), total: z.int(), pageSize: z.int() }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportNudges = endpoint('POST /api/office/nudges/export', {
  summary:
    'All schools that the filters leave with their next step, the days left and their last reminder, as a spreadsheet.',
  body: z.strictObject({ ...nudgeFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const mostNudges = 500

export const sendNudges = endpoint('POST /api/office/nudges/send', {
  summary:
    'Reminds schools of their next step by mail. Left out: who was reminded in the last three days, has nobody to write to, or has done it meanwhile.',
  body: z.strictObject({
    FYear: seasonLabel,
    ids: z.array(bodyId).check(z.minLength(1), z.maxLength(mostNudges)),
  }),
  answer: z.object({ sent: z.int(), mails: z.int(), leftOut: z.int() }),
})

/** The search of the header: what the office finds by a name or a number, whatever kind of record it is. */

export const foundKinds = ['school', 'student', 'payment', 'bankLine', 'packet', 'person'] as const
export type FoundKind = (typeof foundKinds)[number]

/** So many of each kind at most */
export const mostFound = 5
/** A shorter text finds nothing. */
export const shortestSearch = 2

const found = z.object({
  kind: z.enum(foundKinds),
  /** Of a person the id of the school */
  id: z.int(),
  title: z.string(),
  /** What tells it from others of the same name: codes, names, amounts */
  facts: z.array(z.string()),
  /** '' where it belongs to no season */
  FYear: z.string(),
  /** Where payments and bank lines are listed; '' of other kinds */
  state: z.string(),
})
export type Found = z.output<typeof found>

export const officeSearch = endpoint('GET /api/office/search', {
  summary: `Schools by name, code, UDISE, phone or city; students by name or exam roll no; payments by receipt no, reference or UTR; bank lines by UTR; parcels by number or tracking no; people of schools by e-mail. At most ${mostFound} of each kind, of kinds that the role may read. Contacts of families are no part of it.`,
  query: z.strictObject({ search: optionalText(100) }),
  answer: z.object({ data: z.array(found) }),
})
