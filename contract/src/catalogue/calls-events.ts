import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, olympiad, queryId, seasonLabel, text } from '../fields.ts'
import { officeMessages } from '../office/messages.ts'
import { eventSection } from '../results/schemas.ts'
import { shareRule } from './rules-fee.ts'
import { amount, day, examModes, nameHi, optionalDay, seasonStates } from './schemas.ts'

/** One subject in a season, as the office edits it: mode, dates, sections, classes, fees, books. Amounts in rupees. */

const row = z.object({
  eventYearId: z.int(),
  ...olympiad,
  examLevel: z.int(),
  examMode: z.enum(examModes),
  closesOn: z.string(),
  firstDate: z.string(),
  secondDate: z.string(),
  maximumMarks: z.int(),
  classes: z.string(),
  feeFrom: z.nullable(z.number()),
  feeTo: z.nullable(z.number()),
  /** Active enrolments */
  students: z.int(),
  rulesVersion: z.int(),
  version: z.int(),
  /** '' and 0 without a late fee */
  lateFrom: z.string(),
  lateFee: z.number(),
})
export type OfficeEventRow = z.output<typeof row>

export const catalogueEvents = endpoint('GET /api/office/catalogue/events', {
  summary: 'The events of a season with their dates, classes and fees.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(row) }),
})

export const section = z.strictObject({
  name: text(officeMessages.sectionNameRequired, 80),
  nameHi: nameHi(80),
  maximum: z
    .int(officeMessages.sectionMaximum)
    .check(z.minimum(1, officeMessages.sectionMaximum), z.maximum(1000, officeMessages.sectionMaximum)),
})

const price = z.nullable(amount)
/** What a class pays: the fee, the school's share of each entry, and the books; null if a book is not offered. */
const classFees = z.strictObject({
  classId: z.int().check(z.refine(isClassId)),
  fee: amount,
  retained: amount,
  cb: price,
  pyqp: price,
  geneX: price,
  tb: price,
  wb: price,
  bookRetained: amount,
})
export type ClassFees = z.output<typeof classFees>

export const catalogueEvent = endpoint('GET /api/office/catalogue/event', {
  summary: 'An event with its sections, its prices by class, and the number of entries.',
  query: z.strictObject({ eventYearId: queryId }),
  answer: z.object({
    event: z.object({
      ...row.shape,
      FYear: z.string(),
      seasonState: z.enum(seasonStates),
      share: shareRule,
      littleStar: z.boolean(),
      /** The subject's Hindi name in every season; empty if it has none */
      subjectNameHi: z.string(),
      sections: z.array(eventSection),
      /** Whether marks are imported; sections can't be changed then */
      marked: z.boolean(),
      /** Number of schools that have chosen the first or the second date */
      choseFirst: z.int(),
      choseSecond: z.int(),
    }),
    /** Holidays of the season, to compare with the dates */
    holidays: z.array(z.object({ day: z.string(), name: z.string() })),
    fees: z.array(z.object({ ...classFees.shape, className: z.string(), students: z.int() })),
    can: z.object({ write: allowance, rules: allowance }),
  }),
})

export const saveCatalogueEvent = endpoint('POST /api/office/catalogue/saveEvent', {
  summary: 'Changes mode, dates and sections of an event; the maximum is the sum of its sections.',
  body: z.strictObject({
    eventYearId: bodyId,
    version: bodyId,
    examMode: z.enum(examModes),
    closesOn: day,
    firstDate: optionalDay,
    secondDate: optionalDay,
    sections: z.array(section).check(z.maxLength(12)),
    /** If left out, the name stays as it is */
    subjectNameHi: nameHi(60),
  }),
  answer: z.object({ version: z.int() }),
})

const fees = { eventYearId: bodyId, classes: z.array(classFees).check(z.maxLength(15)) }

/** One changed price, and how many entries keep the old one. */
const priceChange = z.object({
  className: z.string(),
  what: z.enum(['fee', 'retained', 'cb', 'pyqp', 'geneX', 'tb', 'wb', 'bookRetained', 'class']),
  /** Null: not offered */
  from: z.nullable(z.number()),
  to: z.nullable(z.number()),
  /** Active enrolments (or ordered books) at the old price, and how many of them are unpaid */
  atOldPrice: z.int(),
  unpaid: z.int(),
})
export type PriceChange = z.output<typeof priceChange>

export const feesEffect = endpoint('POST /api/office/catalogue/feesEffect', {
  summary: 'The effect of changed prices: which entries keep the old ones. Writes nothing.',
  body: z.strictObject(fees),
  answer: z.object({ changes: z.array(priceChange), atOldPrice: z.int(), unpaid: z.int() }),
})

export const saveFees = endpoint('POST /api/office/catalogue/saveFees', {
  summary: 'Changes the prices of an event from now on; existing entries keep theirs.',
  body: z.strictObject({ ...fees, version: bodyId }),
  answer: z.object({ version: z.int() }),
})

/** A subject or a further level that can be added to a season: one it does not have yet, or a new one. */

const subject = z.object({
  ...olympiad,
  littleStar: z.boolean(),
  /** Levels of the subject that the season has already */
  levels: z.array(z.int()),
  /** For each level, the newest earlier season, whose sections, rules and prices are copied */
  before: z.array(z.object({ examLevel: z.int(), FYear: z.string() })),
})
export type SubjectToAdd = z.output<typeof subject>

export const subjectsToAdd = endpoint('GET /api/office/catalogue/subjects', {
  summary: 'All subjects with their levels in a season, and the event each would be copied from.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(subject) }),
})

export const addedEvent = {
  eventLetter: z.string().check(z.regex(/^[A-Z]$/, officeMessages.letterRequired)),
  /** For a new subject; otherwise ignored */
  subjectName: z.string().check(z.maxLength(60)),
  subjectNameHi: nameHi(60),
  littleStar: z.boolean(),
  examLevel: z.int().check(z.minimum(1), z.maximum(3)),
  examMode: z.enum(examModes),
  closesOn: day,
  firstDate: optionalDay,
  secondDate: optionalDay,
  /** If no earlier event is copied: the marks of its only section */
  maximumMarks: z
    .int(officeMessages.sectionMaximum)
    .check(z.minimum(1, officeMessages.sectionMaximum), z.maximum(1000, officeMessages.sectionMaximum)),
}

export const addEvent = endpoint('POST /api/office/catalogue/addEvent', {
  summary: 'Adds an event to a season, for an existing or a new subject.',
  body: z.strictObject({ FYear: seasonLabel, ...addedEvent }),
  answer: z.object({ eventYearId: z.int() }),
})

/**
 * The late fee: from a given day (IST), an entry in the event costs this much more. It applies to entries made from
 * that day on, never to existing ones (docs/algorithms/fees.md).
 */

/** Both or neither; '' and 0 mean no late fee. */
export const lateFeeValues = { lateFrom: optionalDay, lateFee: amount }

export const checkLateFee = z.refine<{ lateFrom: string; lateFee: number }>(
  ({ lateFrom, lateFee }) => lateFrom === '' || lateFee > 0,
  { error: officeMessages.amountRequired, path: ['lateFee'] },
)
export const lateDayGiven = z.refine<{ lateFrom: string; lateFee: number }>(
  ({ lateFrom, lateFee }) => lateFrom !== '' || lateFee === 0,
  { error: officeMessages.dayRequired, path: ['lateFrom'] },
)

export const saveLateFee = endpoint('POST /api/office/catalogue/saveLateFee', {
  summary:
    "Sets, changes or ends the late fee of a season's events, all or none of them. Existing entries stay as they are.",
  body: z
    .strictObject({
      FYear: seasonLabel,
      events: z
        .array(z.strictObject({ eventYearId: bodyId, version: bodyId }))
        .check(z.minLength(1, officeMessages.eventsChosen), z.maxLength(100)),
      ...lateFeeValues,
    })
    .check(checkLateFee, lateDayGiven),
})

/** A late fee that schools must know about: it applies now, or will before entries close. */
const lateFeeNotification = z.object({
  /** First day (IST) on which an entry costs more */
  from: z.string(),
  /** In rupees, for each entry */
  fee: z.number(),
  subjects: z.array(z.string()),
  /** Whether it applies today */
  inForce: z.boolean(),
  /** Whether it is for all subjects that are still open */
  all: z.boolean(),
})
export type LateFeeNotification = z.output<typeof lateFeeNotification>

export const lateFees = endpoint('GET /api/ManageSchool/Get_Late_Fees', {
  summary: 'Late fees of subjects still open for entries in an open season, earliest first.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(lateFeeNotification) }),
})
