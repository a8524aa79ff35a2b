import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, schoolName, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { paymentStates } from '../payments/calls.ts'
import { waiverStates } from '../payments/calls-waivers.ts'
import { paymentKinds } from '../payments/rules.ts'
import { studentFields } from './schemas.ts'

/** The office's register of students: all schools' students, 50 a page, and its export. */

/** Status of a student's registration fee. */
export const studentFees = ['due', 'sent', 'paid', 'waived'] as const
export type StudentFee = (typeof studentFees)[number]

export const studentStatuses = ['active', 'deleted', 'all'] as const
export const studentSorts = ['name', 'class'] as const

/** Most students the list counts; above that it asks to narrow the search. */
export const maxCounted = 10_000
/** Most students a search finds. */
export const maxSearchResults = 1000
/** Most students in one file. */
export const maxExported = 5000

/** A class id as digits; '' for all. */
const classFilter = z._default(
  z.pipe(
    z.string().check(z.regex(/^\d{0,2}$/)),
    z.pipe(
      z.transform((typed: string) => (typed === '' ? 0 : Number(typed))),
      z.int().check(z.refine((id) => id === 0 || isClassId(id))),
    ),
  ),
  0,
)

const filters = {
  /** If left out, all seasons */
  FYear: z.optional(seasonLabel),
  /** Beginnings of words of the name, in any order; a roll no, exam roll no or school code; a parent's whole mobile */
  search: optionalText(100),
  /** Words of the school's name, its city or its code */
  school: optionalText(100),
  classId: classFilter,
  /** Subject letter */
  subject: z._default(z.string().check(z.regex(/^[A-Z]?$/)), ''),
  fee: z._default(z.enum(['', ...studentFees]), ''),
  status: z._default(z.enum(studentStatuses), 'active'),
  /** By name; or by class, section and roll no if a school is given */
  sort: z._default(z.enum(studentSorts), 'name'),
}

const row = z.object({
  id: z.int(),
  FYear: z.string(),
  schId: z.int(),
  ...schoolName,
  city: z.string(),
  studentName: z.string(),
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  examRollNo: z.string(),
  eventLetter: z.string(),
  /** The parent's mobile with only its last digits visible; '' if there is none */
  mobile: z.string(),
  fee: z.enum(studentFees),
  active: z.boolean(),
  /** By the office, for good; a student who is neither this nor active was deleted by the school */
  cancelled: z.boolean(),
})
export type StudentListRow = z.output<typeof row>

/** Refuses with students.mobile_search if the role may not see mobiles. */
export const officeStudents = endpoint('GET /api/office/students/list', {
  summary: "All schools' students that match the filters, 50 a page; counted up to a limit.",
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(row),
    total: z.int(),
    /** There are more than `total` */
    more: z.boolean(),
    pageSize: z.int(),
  }),
})

/** POST, because it writes to the audit log. */
export const exportOfficeStudents = endpoint('POST /api/office/students/export', {
  summary:
    'The students that match the filters, as a spreadsheet of at most 5,000 rows, without their parents’ contact.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const studentSubjects = endpoint('GET /api/office/students/subjects', {
  summary: 'All subjects by letter, for the filter.',
  answer: z.object({ data: z.array(z.object({ letter: z.string(), name: z.string() })) }),
})

/** A student as the office sees it, with all related records. */

const student = z.object({
  id: z.int(),
  version: z.int(),
  FYear: z.string(),
  schId: z.int(),
  ...schoolName,
  city: z.string(),
  studentName: z.string(),
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  examRollNo: z.string(),
  /** Whether there is one, and the part of mobile and e-mail that may be seen without a log entry */
  parentName: z.string(),
  parentEmail: z.string(),
  parentMobile: z.string(),
  active: z.boolean(),
  cancelled: z.boolean(),
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
  /** In rupees; null if the role may not read payments */
  fee: z.nullable(z.number()),
  /** The late fee included in the fee */
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
  /** For this student, in rupees: gross less the school's share */
  amount: z.number(),
  state: z.enum(paymentStates),
  receiptNo: z.string(),
  creationDate: z.string(),
})

const result = z.object({
  eventYearId: z.int(),
  subjectName: z.string(),
  state: z.enum(['none', 'released', 'withheld']),
  medal: z.string(),
  /** Rank in the whole olympiad, within the class; null if there is none */
  olympiadRank: z.nullable(z.int()),
})

const family = z.object({
  createdAt: z.string(),
  lastOpenedAt: z.nullable(z.string()),
  /** The children behind the link, including this one */
  children: z.array(z.object({ id: z.int(), studentName: z.string(), className: z.string() })),
  /** Whether there is an address to e-mail it to */
  mail: z.boolean(),
})
export type FamilyOfStudent = z.output<typeof family>

const waiver = z.object({
  state: z.enum(waiverStates),
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  decision: z.string(),
  decidedAt: z.nullable(z.string()),
})

const sibling = z.object({ id: z.int(), FYear: z.string(), schCode: z.string(), className: z.string() })

export const officeStudent = endpoint('GET /api/office/students/one', {
  summary:
    'A student with school, subjects, books, payments, results and family link; mobile and e-mail masked. Null if the role may not read it.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({
    student,
    entries: z.array(entry),
    books: z.array(book),
    payments: z.nullable(z.array(payment)),
    results: z.nullable(z.array(result)),
    /** Null if the link was withdrawn, or there never was one */
    family: z.nullable(family),
    /** The latest one asked for */
    waiver: z.nullable(waiver),
    /** The same student in other seasons, newest first */
    seasons: z.array(sibling),
    can: z.object({
      contact: allowance,
      correct: allowance,
      /** Class and section, which marks and printed papers depend on */
      place: allowance,
      codes: allowance,
      /** Cancelling, or moving to another school */
      leave: allowance,
      waive: allowance,
    }),
  }),
})

/** POST, because it writes to the audit log. */
export const showStudentContact = endpoint('POST /api/office/students/contact', {
  summary: "The full contact of a student's parents; each view is logged.",
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ parentName: z.string(), parentEmail: z.string(), parentMobile: z.string() }),
})

/** What the office changes of a student: the details, and the family's link. */

const { classId, section, rollno, studentName, parentName, parentEmailId, parentMobileNo } =
  studentFields.shape
const reason = text(messages.reasonRequired, 500)

/** What can be corrected; subjects, books and fees stay as entered. */
export const studentCorrection = z.strictObject({
  classId,
  section,
  rollno,
  studentName,
  parentName,
  parentEmailId,
  parentMobileNo,
  reason,
})
export type StudentCorrection = z.output<typeof studentCorrection>

export const correctStudent = endpoint('POST /api/office/students/correct', {
  summary: 'Corrects a student’s details, paid or not; entries and fees stay as they are.',
  body: z.extend(studentCorrection, { id: bodyId, version: bodyId }),
})

/** POST, because it writes to the audit log. */
export const showFamilyCode = endpoint('POST /api/office/students/familyCode', {
  summary: "The link of a student's family and its access code; each view is logged.",
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ address: z.string(), code: z.string() }),
})

export const sendFamilyLink = endpoint('POST /api/office/students/familyMail', {
  summary: "E-mails the family's link to the parent, without the code.",
  body: z.strictObject({ id: bodyId }),
  answer: z.object({
    /** The address, masked */
    to: z.string(),
  }),
})

/** As many as one page of the list shows. */
const maxFamilies = 50

export const sendFamilyLinks = endpoint('POST /api/office/students/familyMailMany', {
  summary:
    "E-mails the links of these students' families, without codes; skips and reports those who have just got it, or have no link or address.",
  body: z.strictObject({ ids: z.array(bodyId).check(z.minLength(1), z.maxLength(maxFamilies)) }),
  answer: z.object({
    /** The masked address each went to */
    done: z.array(z.object({ id: z.int(), to: z.string() })),
    refused: z.array(z.object({ id: z.int(), message: z.string() })),
  }),
})

export const renewOfficeFamilyLink = endpoint('POST /api/office/students/familyRenew', {
  summary:
    "Gives a student's family a new link and code; the old ones stop working. Refused if someone else has renewed it since.",
  body: z.strictObject({
    id: bodyId,
    /** `createdAt` of the link the caller has seen; left out if there was none */
    createdAt: z.optional(z.iso.datetime()),
    reason,
  }),
  answer: z.object({
    /** Number of the family's children behind the new link */
    children: z.int(),
  }),
})

export const revokeFamilyLink = endpoint('POST /api/office/students/familyRevoke', {
  summary: "Revokes a family's link; its sessions end.",
  body: z.strictObject({ id: bodyId, reason }),
})

export const cancelStudent = endpoint('POST /api/office/students/cancel', {
  summary:
    'Cancels a student’s entry; what was paid becomes a credit of the school that paid. Deletes nothing.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason }),
  answer: z.object({
    /** Rupees */
    credit: z.number(),
  }),
})

const schCode = text(messages.moveSchoolRequired, 20)

export const previewMove = endpoint('GET /api/office/students/movePreview', {
  summary: 'What would move with a student to another school, and what would stay. Writes nothing.',
  query: z.strictObject({ id: queryId, schCode }),
  answer: z.object({
    to: z.object({ schCode: z.string(), schName: z.string(), city: z.string() }),
    entries: z.int(),
    books: z.int(),
    /** What was paid for the student and stays with the school that paid, in rupees */
    paid: z.number(),
    /** The new one; '' if there is none yet */
    examRollNo: z.string(),
  }),
})

export const studentMove = z.strictObject({ schCode, section, rollno, reason })

export const moveStudent = endpoint('POST /api/office/students/move', {
  summary:
    'Moves a student to another school within the season; what was paid stays with the school that paid.',
  body: z.extend(studentMove, { id: bodyId, version: bodyId }),
})
