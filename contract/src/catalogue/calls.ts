import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'
import { hindiNamesPath } from './paths.ts'

/** A class in a query, as digits. */
export const queryClassId = z.pipe(
  z.pipe(
    z.string(messages.classRequired),
    z.transform((text: string) => (/^\d{1,2}$/.test(text) ? Number(text) : -1)),
  ),
  z.int().check(z.refine(isClassId, messages.classRequired)),
)

/** A student of one's own school: what is enrolled already stands at the price with which it was saved. */
const studentId = z.optional(queryId)

/** A subject that a class can enter in a season; amounts in rupees. */
export const subject = z.object({
  eventYearId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  /** With the late fee, where there is one */
  eventFee: z.number(),
  /** The part of eventFee that is a late fee: of this day, or of the student who is named */
  lateFee: z.number(),
  /** From which day (IST) on an entry costs how much more; null where it never does before entries close */
  late: z.nullable(z.object({ from: z.string(), fee: z.number() })),
  /** What the school keeps of the fee, computed by the season's rule; nothing of a late fee */
  retainFee: z.number(),
  /** Last day (IST) for entries, `2026-11-30` */
  closesOn: z.string(),
  /** Entries can't be made or changed: the day has passed, or the season is not open */
  closed: z.boolean(),
  /** The caller's school has signed its list off: nobody is entered for it any more */
  signedOff: z.boolean(),
  examMode: z.enum(['Online', 'Offline']),
})
export type Subject = z.output<typeof subject>

export const getSubject = endpoint('GET /api/account/GetSubject', {
  summary: 'The subjects that a class can enter in a season, with fee and retained share.',
  query: z.strictObject({ FYear: seasonLabel, classId: queryClassId, studentId }),
  answer: z.object({ data: z.array(subject) }),
})

const price = z.nullable(z.number())
/** One figure per kind of book; null where the book is not offered to the class. */
const perKind = { cb: price, pyqp: price, geneX: price, tb: price, wb: price }

/** The books of one subject for a class; amounts in rupees, null where a book is not offered. */
export const bookOption = z.object({
  subjectName: z.string(),
  eventLetter: z.string(),
  ...perKind,
  /** What the school keeps of each ticked book; under a percentage it differs by book, see `retainFees` */
  retainFee: z.number(),
  retainFees: z.object(perKind),
})
export type BookOption = z.output<typeof bookOption>

export const getBook = endpoint('GET /api/account/GetBook', {
  summary: 'The books that a class can order, by subject; the current season where none is named.',
  query: z.strictObject({ classId: queryClassId, FYear: z.optional(seasonLabel), studentId }),
  answer: z.object({ data: z.array(bookOption) }),
})

export const hindiNames = endpoint(`GET ${hindiNamesPath.path}`, {
  keptFor: hindiNamesPath.keptFor,
  summary:
    'What the foundation names (subjects, sections, prizes and awards, designations, titles, places, holidays) in Hindi, by the English name; a name without Hindi is left out.',
  answer: z.object({ names: z.record(z.string(), z.string()) }),
})
