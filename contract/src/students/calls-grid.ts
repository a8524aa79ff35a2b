import * as z from 'zod/mini'
import { bookOption, subject } from '../catalogue/calls.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'
import { importProgress } from './calls-import.ts'
import { mostImportRows } from './calls-import-preview.ts'
import { rowFields } from './rules-row.ts'

const cell = z.string().check(z.maxLength(500))

/** The texts of one student in the order of `rowFields`; `row` is its number in the grid, from 1. */
const gridRow = z.strictObject({
  row: z.int().check(z.minimum(1), z.maximum(100_000)),
  cells: z.array(cell).check(z.length(rowFields.length)),
})
export type GridRow = z.output<typeof gridRow>

const rows = z.array(gridRow).check(z.minLength(1), z.maxLength(mostImportRows))
const bodyLimit = 5 * 1024 * 1024

export const entryOffers = endpoint('GET /api/ManageStudent/EntryOffers', {
  summary: 'What every class is offered in a season, in one answer: the price list of the grid.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({
    /** Students can be entered */
    open: z.boolean(),
    classes: z.array(z.object({ classId: z.int(), subjects: z.array(subject), books: z.array(bookOption) })),
  }),
})

const fault = z.object({
  row: z.int(),
  /** As in the student entry: `rollno`, `subjectName`, `cb` … */
  field: z.string(),
  message: z.string(),
  suggestions: z.array(z.string()),
})
export type GridRowFault = z.output<typeof fault>

/** Refusals: enrolment.season_closed, access.other_school. */
export const checkRows = endpoint('POST /api/ManageStudent/CheckRows', {
  summary: 'Checks rows of texts as students, against each other and those entered; nothing is saved.',
  body: z.strictObject({ FYear: seasonLabel, schId: z.optional(bodyId), rows }),
  bodyLimit,
  answer: z.object({
    /** Rows that would be entered */
    fresh: z.array(z.int()),
    /** Rows of students who are in the list: same name, same roll no. `differs`: with other subjects or books */
    there: z.array(z.object({ row: z.int(), studentName: z.string(), differs: z.boolean() })),
    faults: z.array(fault),
    /** Rows to be entered that should be looked at: the name and class of one entered before, figures in the name */
    likely: z.array(z.object({ row: z.int(), message: z.string() })),
    /** Of the rows to be entered, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
    school_Expenses: z.number(),
    book_school_Expenses: z.number(),
  }),
})

/**
 * Refusals: enrolment.season_closed, enrolment.amounts_changed (the new amounts stand beside the message),
 * changed_meanwhile (a row can't be entered any more; CheckRows says why). Said again with the same rows it answers how
 * far it is. CancelImport, ImportStatus and UndoImport take its `importId`, too.
 */
export const enterRows = endpoint('POST /api/ManageStudent/EnterRows', {
  summary: 'Enters checked rows, as counted work; asked again it tells how far it is.',
  body: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(bodyId),
    /** Those that would be entered, by CheckRows */
    rows,
    /** What the screen showed for them, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
  }),
  bodyLimit,
  answer: importProgress,
})
