import * as z from 'zod/mini'
import { type BookKind, bookKinds, bookNames, isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, numeric, queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'

/** The books that a school's active students order, by subject, class and kind (specification, sections 2.11, 3, 7). */

const details = z.object({
  classCode: z.string(),
  classId: z.int(),
  /** The name of the kind of book: `Comprehensive Book` */
  bookCategory: z.string(),
  total: z.int(),
})

const bookSubject = z.object({
  subjectName: z.string(),
  eventLetter: z.string(),
  totalBooks: z.int(),
  details: z.array(details),
})
export type BookSubject = z.output<typeof bookSubject>

export const getBookSummary = endpoint('GET /api/ManageStudent/GetBook_Summary', {
  summary: 'How many books the active students of the school take, by subject, class and kind of book.',
  query: z.strictObject({ Fyear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({ data: z.array(bookSubject) }),
})

/** A student who takes the book; the amounts (rupees) and the subjects of each kind are those of the whole student. */
const bookDetail = z.object({
  classId: z.int(),
  className: z.string(),
  studentName: z.string(),
  section: z.string(),
  rollNo: z.int(),
  /** Of each kind of book the subjects it is taken in, joined by commas */
  cb: z.string(),
  pyqp: z.string(),
  genex: z.string(),
  tb: z.string(),
  wb: z.string(),
  currency: z.string(),
  regAmount: z.number(),
  bookAmount: z.number(),
  /** True: a verified payment covers the student's books */
  status: z.boolean(),
  subjectName: z.string(),
})
export type BookDetail = z.output<typeof bookDetail>

/** The kind of book behind a category: its name or the name of its field, in any case; undefined for others. */
export function bookKindOf(category: string): BookKind | undefined {
  const said = category.trim().toLowerCase()
  return bookKinds.find((kind) => kind.toLowerCase() === said || bookNames[kind].toLowerCase() === said)
}

/** Refusals: not_found for a category that is no kind of book. */
export const getBookDetails = endpoint('POST /api/ManageStudent/GetBookDetails', {
  summary: 'The active students behind one figure of the book summary, in order of section and roll no.',
  body: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(bodyId),
    /** Name or letter */
    subjectName: z.string().check(z.maxLength(200)),
    bookCategory: z.string().check(z.maxLength(100)),
    classId: z.pipe(
      numeric(messages.classRequired),
      z.int(messages.classRequired).check(z.refine(isClassId, messages.classRequired)),
    ),
  }),
  answer: z.object({ data: z.array(bookDetail) }),
})
