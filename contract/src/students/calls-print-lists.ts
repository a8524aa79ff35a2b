import * as z from 'zod/mini'
import { queryClassId } from '../catalogue/calls.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'
import { exportStudents } from './calls.ts'

/** What a school prints of its students: made as counted work, since a whole school is hundreds of pages. */

export const paperKinds = ['class-list', 'fee-list', 'registration'] as const
export type PaperKind = (typeof paperKinds)[number]

/** As many students as one file holds. */
export const mostPrinted = 3_000
/** A file is kept for its school so long, in hours. */
export const printHours = 24

/** Refusals: paper.no_offer (nothing is offered to the class in this season). */
export const blankForm = endpoint('GET /api/ManageStudent/BlankForm', {
  summary: 'The blank registration and book order form of a class for its families, as PDF.',
  query: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(queryId),
    classId: queryClassId,
    language: z.enum(['en', 'hi']),
  }),
  answers: 'file',
})

const printId = z.string().check(z.regex(/^[\w-]{22}$/))

const progress = z.object({
  printId: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  /** Students drawn, and of how many */
  done: z.int(),
  total: z.int(),
  /** Why it ended without a file */
  error: z.string(),
})
export type PrintProgress = z.output<typeof progress>

/** Refusals: paper.nobody, paper.too_many, busy (three of the school are being made already). */
export const printPaper = endpoint('POST /api/ManageStudent/PrintPaper', {
  summary:
    'Starts to make a PDF of the active students that the filters leave: a class list, the list for collecting fees, or a registration form for each family.',
  body: z.extend(z.omit(exportStudents.body, { format: true }), {
    paper: z.enum(paperKinds),
    /** Of what families read; lists of the school are in English */
    language: z.optional(z.enum(['en', 'hi'])),
  }),
  answer: progress,
})

export const printStatus = endpoint('GET /api/ManageStudent/PrintStatus', {
  summary: 'How far a PDF is.',
  query: z.strictObject({ printId }),
  answer: progress,
})

export const cancelPrint = endpoint('POST /api/ManageStudent/CancelPrint', {
  summary: 'Stops making a PDF; one that is ready is answered as it is.',
  body: z.strictObject({ printId }),
  answer: progress,
})

export const printFile = endpoint('GET /api/ManageStudent/PrintFile', {
  summary: 'The PDF, once it is made; it is kept for a day.',
  query: z.strictObject({ printId }),
  answers: 'file',
})

/** What a school hands to its families: the link and the access code, on halves that are cut apart. */

/** As many as one file holds, a hundred pages; a larger school takes them class by class. */
export const mostSlips = 600

export const familySlips = endpoint('POST /api/ManageStudent/FamilySlips', {
  summary:
    'Access slips as a PDF, one for each family among the active students that the filters leave: the QR code of its link on one half, the access code on the other.',
  body: z.omit(exportStudents.body, { format: true }),
  answers: 'file',
})

export const renewFamilyLink = endpoint('POST /api/ManageStudent/RenewFamilyLink', {
  summary:
    "Gives a student's family a new link and a new access code; the old ones no longer open anything, and who is on the page with them is signed out.",
  body: z.strictObject({ studentId: bodyId }),
  answer: z.object({
    /** How many children of the family the new link holds */
    children: z.int(),
  }),
})
