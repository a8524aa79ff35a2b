import * as z from 'zod/mini'
import { type BookKind, bookKinds, bookNames, isClassId } from '../classes.ts'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, numeric, olympiad, queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'

/** Books that a school's active students order, by subject, class and kind (specification, sections 2.11, 3, 7). */

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
  summary: "How many books the school's active students take, by subject, class and kind of book.",
  query: z.strictObject({ Fyear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({ data: z.array(bookSubject) }),
})

/** A student who takes the book; amounts (rupees) and the subjects of each kind cover all of the student's books. */
const bookDetail = z.object({
  classId: z.int(),
  className: z.string(),
  studentName: z.string(),
  section: z.string(),
  rollNo: z.int(),
  /** For each kind of book, its subjects, separated by commas */
  cb: z.string(),
  pyqp: z.string(),
  genex: z.string(),
  tb: z.string(),
  wb: z.string(),
  currency: z.string(),
  regAmount: z.number(),
  bookAmount: z.number(),
  /** Whether a verified payment covers the student's books */
  status: z.boolean(),
  subjectName: z.string(),
})
export type BookDetail = z.output<typeof bookDetail>

/** Returns the kind of book of a category: its name or its field's name, in any case; undefined if neither matches. */
export function bookKindOf(category: string): BookKind | undefined {
  const name = category.trim().toLowerCase()
  return bookKinds.find((kind) => kind.toLowerCase() === name || bookNames[kind].toLowerCase() === name)
}

/** Refuses with not_found if the category is no kind of book. */
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

/** Copies of books that a school orders for its library (specification, 2.11). */

/** Most copies of one book for one class in a line. */
const maxCopiesOfBook = 500
/** Most unpaid copies of an order: what one payment covers. */
export const maxUnpaid = 5_000

const orderStates = ['unpaid', 'sent', 'paid'] as const
export type OrderState = (typeof orderStates)[number]

/** Copies of one book for one class; amounts in rupees, as they were when the line was saved. */
const orderLine = z.object({
  id: z.int(),
  classId: z.int(),
  className: z.string(),
  ...olympiad,
  kind: z.enum(bookKinds),
  /** The name of the kind of book: `Comprehensive Book` */
  bookCategory: z.string(),
  quantity: z.int(),
  /** Of one copy, in rupees */
  price: z.number(),
  /** The school's share of one copy */
  retainFee: z.number(),
  /** quantity × price */
  bookAmount: z.number(),
  /** quantity × retainFee */
  book_school_Expenses: z.number(),
  /** bookAmount − book_school_Expenses */
  payableAmount: z.number(),
  /** `sent`: a payment that covers the line is being verified */
  status: z.enum(orderStates),
  /** The payment that covers the line, sent or verified */
  paymentId: z.nullable(z.int()),
  /** Of the verified payment; otherwise empty */
  receiptNo: z.string(),
  creationDate: z.string(),
  version: z.int(),
  can: z.object({ edit: allowance, delete: allowance }),
})
export type OrderLine = z.output<typeof orderLine>

export const getBookOrder = endpoint('GET /api/ManageBook/GetBookOrder', {
  summary: 'The books a school orders for its library in a season, by class and subject.',
  query: z.strictObject({ FYear: seasonLabel, SchId: z.optional(queryId) }),
  answer: z.object({ data: z.array(orderLine), can: z.object({ add: allowance }) }),
})

/** A whole number, which a form may send as digits. */
const digits = z.pipe(
  z.union([z.number(), z.string()], messages.quantityRequired),
  z.transform((typed: number | string) => {
    if (typeof typed === 'number') return typed
    const plain = typed.replaceAll(/[\s,]/g, '')
    if (plain === '') return undefined
    return /^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN
  }),
)

const quantity = z.pipe(
  digits,
  z.pipe(
    z.transform((value: number | undefined, context) => {
      if (value !== undefined) return value
      context.issues.push({ code: 'custom', message: messages.quantityRequired, input: value })
      return z.NEVER
    }),
    z
      .int(messages.quantityWhole)
      .check(z.minimum(1, messages.quantityWhole), z.maximum(maxCopiesOfBook, messages.quantityWhole)),
  ),
)

const classId = z.pipe(
  z.pipe(
    z.union([z.number(), z.string()], messages.classRequired),
    z.transform((typed: number | string) =>
      typeof typed === 'number' || /^\d{1,2}$/.test(typed) ? Number(typed) : Number.NaN,
    ),
  ),
  z.int(messages.classRequired).check(z.refine(isClassId, messages.classRequired)),
)

/** Fields of the Add Books dialog: class, subject (name or letter), category (name of kind or field), quantity. */
export const orderFields = z.strictObject({
  classId,
  subjectName: z
    .string(messages.subjectRequired)
    .check(z.minLength(1, messages.subjectRequired), z.maxLength(200, messages.subjectRequired)),
  bookCategory: z
    .string(messages.subjectRequired)
    .check(z.refine((category) => bookKindOf(category) !== undefined, messages.subjectRequired)),
  quantity,
})
export type OrderFields = z.output<typeof orderFields>

/**
 * Refuses with not_found, changed_meanwhile, `books.*`, or an issue at the field if the class is not offered the
 * subject or book. `bookAmount` (rupees, all copies) is only compared with the computed amount.
 */
export const saveBookOrder = endpoint('POST /api/ManageBook/SaveBookOrder', {
  summary: "Orders copies of a book for the school's library, or changes a line of the order.",
  body: z.extend(orderFields, {
    /** 0 for a new line */
    id: z._default(bodyId, 0),
    /** The version of the changed line */
    version: z.optional(bodyId),
    FYear: seasonLabel,
    SchId: z.optional(bodyId),
    bookAmount: z.optional(z.number().check(z.minimum(0), z.maximum(1e9))),
  }),
  answer: z.object({ data: orderLine }),
})

/** Refuses with not_found, changed_meanwhile, books.sent, books.paid. */
export const deleteBookOrder = endpoint('POST /api/ManageBook/DeleteBookOrder', {
  summary: 'Deletes a line that is neither paid nor covered by a payment.',
  body: z.strictObject({
    id: bodyId,
    /** The version that was shown; if left out, any version */
    version: z.optional(bodyId),
    SchId: z.optional(bodyId),
  }),
  answer: z.object({ id: z.int() }),
})
