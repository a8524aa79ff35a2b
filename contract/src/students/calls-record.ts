import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { allowance } from '../envelope.ts'
import { bodyId, queryId } from '../fields.ts'
import { paymentStates } from '../payments/calls.ts'
import { waiverStates } from '../payments/calls-waivers.ts'
import { paymentKinds } from '../payments/rules.ts'
import { studentFees } from './calls-register.ts'

/** One child as the office sees it, with everything that hangs on it. */

const student = z.object({
  id: z.int(),
  version: z.int(),
  FYear: z.string(),
  schId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  city: z.string(),
  studentName: z.string(),
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  examRollNo: z.string(),
  /** Whether there is one, and of mobile and e-mail what may be seen without leaving a trace */
  parentName: z.string(),
  parentEmail: z.string(),
  parentMobile: z.string(),
  active: z.boolean(),
  fee: z.enum(studentFees),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type OfficeStudent = z.output<typeof student>

const entry = z.object({
  eventYearId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examMode: z.string(),
  examDate: z.nullable(z.string()),
  /** In rupees; null for who may not read payments */
  fee: z.nullable(z.number()),
  /** The part of the fee that is a late fee */
  lateFee: z.nullable(z.number()),
  retained: z.nullable(z.number()),
})
export type StudentEntryLine = z.output<typeof entry>

const book = z.object({
  subjectName: z.string(),
  bookCategory: z.string(),
  price: z.nullable(z.number()),
  retained: z.nullable(z.number()),
})

const payment = z.object({
  id: z.int(),
  schCode: z.string(),
  paymentFor: z.enum(paymentKinds),
  /** Of this child, in rupees: gross less what the school keeps */
  amount: z.number(),
  state: z.enum(paymentStates),
  receiptNo: z.string(),
  creationDate: z.string(),
})

const result = z.object({
  eventYearId: z.int(),
  subjectName: z.string(),
  state: z.enum(['none', 'released', 'held']),
  medal: z.string(),
  /** Everywhere within the class; null where there is none */
  olympiadRank: z.nullable(z.int()),
})

const family = z.object({
  createdAt: z.string(),
  firstOpenedAt: z.nullable(z.string()),
  lastOpenedAt: z.nullable(z.string()),
  /** The children behind the link, this one among them */
  children: z.array(z.object({ id: z.int(), studentName: z.string(), className: z.string() })),
  /** There is an address to send it to */
  mail: z.boolean(),
})
export type FamilyOfStudent = z.output<typeof family>

const waiver = z.object({
  state: z.enum(waiverStates),
  reason: z.string(),
  askedBy: z.string(),
  askedAt: z.string(),
  decision: z.string(),
  decidedAt: z.nullable(z.string()),
})

const sibling = z.object({ id: z.int(), FYear: z.string(), schCode: z.string(), className: z.string() })

export const officeStudent = endpoint('GET /api/office/students/one', {
  summary:
    'A child with its school, subjects, books, payments, results and family link; mobile and e-mail masked. Null where the role may not read it.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({
    student,
    entries: z.array(entry),
    books: z.array(book),
    payments: z.nullable(z.array(payment)),
    results: z.nullable(z.array(result)),
    /** Null: the link was taken back, or there never was one */
    family: z.nullable(family),
    /** The last that was asked for */
    waiver: z.nullable(waiver),
    /** The same child in other seasons, the newest first */
    seasons: z.array(sibling),
    can: z.object({
      contact: allowance,
      correct: allowance,
      /** Class and section, which marks and papers go by */
      place: allowance,
      codes: allowance,
      /** Cancelled, or moved to another school */
      leave: allowance,
      waive: allowance,
    }),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const showStudentContact = endpoint('POST /api/office/students/contact', {
  summary: "A child's parents' contact in clear; each look is recorded.",
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ parentName: z.string(), parentEmail: z.string(), parentMobile: z.string() }),
})
