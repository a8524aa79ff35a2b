import * as z from 'zod/mini'
import { queryClassId } from '../catalogue/calls.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, jobState, queryId, seasonLabel } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { exportStudents } from './calls.ts'

/** Printed lists of a school's students: made as background jobs, since a whole school is hundreds of pages. */

export const paperKinds = ['class-list', 'fee-list', 'registration'] as const
export type PaperKind = (typeof paperKinds)[number]

/** Most students in one file. */
export const maxPrinted = 3_000

/** Refuses with paper.no_offer (nothing is offered to the class in this season). */
export const blankForm = endpoint('GET /api/ManageStudent/BlankForm', {
  summary: "A class's blank registration and book order form for families, as PDF.",
  query: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(queryId),
    classId: queryClassId,
    language: z.enum(writtenLanguages),
  }),
  answers: 'file',
})

const printId = z.string().check(z.regex(/^[\w-]{22}$/))

const progress = z.object({
  printId: z.string(),
  state: jobState,
  /** Students printed, and the total */
  done: z.int(),
  total: z.int(),
  /** Why it ended without a file */
  error: z.string(),
})
export type PrintProgress = z.output<typeof progress>

/** Refuses with paper.nobody, paper.too_many, busy (three of the school's jobs are running already). */
export const printPaper = endpoint('POST /api/ManageStudent/PrintPaper', {
  summary:
    'Starts making a PDF of the active students that match the filters: a class list, a list for collecting fees, or a registration form for each family.',
  body: z.extend(z.omit(exportStudents.body, { format: true }), {
    paper: z.enum(paperKinds),
    /** Language of what families read; the school's lists are in English */
    language: z.optional(z.enum(writtenLanguages)),
  }),
  answer: progress,
})

export const printStatus = endpoint('GET /api/ManageStudent/PrintStatus', {
  summary: 'Progress of a PDF.',
  query: z.strictObject({ printId }),
  answer: progress,
})

export const cancelPrint = endpoint('POST /api/ManageStudent/CancelPrint', {
  summary: 'Stops making a PDF; one that is ready is returned as it is.',
  body: z.strictObject({ printId }),
  answer: progress,
})

export const printFile = endpoint('GET /api/ManageStudent/PrintFile', {
  summary: 'The finished PDF, which is stored for a day.',
  query: z.strictObject({ printId }),
  answers: 'file',
})

/** Slips the school hands to families: the link and the access code, on half pages. */

/** Most slips in one file, a hundred pages; a larger school prints them class by class. */
export const maxSlips = 600

export const familySlips = endpoint('POST /api/ManageStudent/FamilySlips', {
  summary:
    'Access slips as a PDF, one for each family of the active students that match the filters: the QR code of its link on one half, the access code on the other.',
  body: z.omit(exportStudents.body, { format: true }),
  answers: 'file',
})

export const renewFamilyLink = endpoint('POST /api/ManageStudent/RenewFamilyLink', {
  summary:
    "Gives a student's family a new link and access code; the old ones stop working, and their sessions end.",
  body: z.strictObject({ studentId: bodyId }),
  answer: z.object({
    /** Number of the family's children behind the new link */
    children: z.int(),
  }),
})
