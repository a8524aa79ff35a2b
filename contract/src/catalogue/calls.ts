import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { olympiad, queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'
import { hindiNamesPath } from './paths.ts'

/** A class id as a query parameter. */
export const queryClassId = z.pipe(
  z.pipe(
    z.string(messages.classRequired),
    z.transform((text: string) => (/^\d{1,2}$/.test(text) ? Number(text) : -1)),
  ),
  z.int().check(z.refine(isClassId, messages.classRequired)),
)

/** A student of the caller's school; existing enrolments keep the price they were saved with. */
const studentId = z.optional(queryId)

/** A subject that a class can enter in a season; amounts in rupees. */
export const subject = z.object({
  eventYearId: z.int(),
  ...olympiad,
  /** Including any late fee */
  eventFee: z.number(),
  /** The late fee included in eventFee, as of today or, with a studentId, of that student */
  lateFee: z.number(),
  /** The late fee and its first day (IST); null if there is none before entries close */
  late: z.nullable(z.object({ from: z.string(), fee: z.number() })),
  /** The school's share of the fee, by the season's rule; it has no share of a late fee */
  retainFee: z.number(),
  /** Last day (IST) for entries, `2026-11-30` */
  closesOn: z.string(),
  /** Whether entries can no longer be made or changed: the day has passed, or the season is not open */
  closed: z.boolean(),
  /** Whether the caller's school has signed off its list; it can make no more entries then */
  signedOff: z.boolean(),
  examMode: z.enum(['Online', 'Offline']),
})
export type Subject = z.output<typeof subject>

export const getSubject = endpoint('GET /api/account/GetSubject', {
  summary: 'The subjects a class can enter in a season, with fee and retained share.',
  query: z.strictObject({ FYear: seasonLabel, classId: queryClassId, studentId }),
  answer: z.object({ data: z.array(subject) }),
})

const price = z.nullable(z.number())
/** One price for each kind of book; null if the book is not offered to the class. */
const perKind = { cb: price, pyqp: price, geneX: price, tb: price, wb: price }

/** Books of one subject for a class; amounts in rupees, null if a book is not offered. */
export const bookOption = z.object({
  subjectName: z.string(),
  eventLetter: z.string(),
  ...perKind,
  /** The school's share of each ordered book; with a percentage it differs by book, see `retainFees` */
  retainFee: z.number(),
  retainFees: z.object(perKind),
})
export type BookOption = z.output<typeof bookOption>

export const getBook = endpoint('GET /api/account/GetBook', {
  summary: 'The books a class can order, by subject; the current season by default.',
  query: z.strictObject({ classId: queryClassId, FYear: z.optional(seasonLabel), studentId }),
  answer: z.object({ data: z.array(bookOption) }),
})

export const hindiNames = endpoint(`GET ${hindiNamesPath.path}`, {
  cacheSeconds: hindiNamesPath.cacheSeconds,
  summary:
    'What the foundation names (subjects, sections, prizes and awards, designations, titles, places, holidays) in Hindi, by the English name; a name without Hindi is left out.',
  answer: z.object({ names: z.record(z.string(), z.string()) }),
})
