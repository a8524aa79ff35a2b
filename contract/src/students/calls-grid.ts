import * as z from 'zod/mini'
import { bookOption, subject } from '../catalogue/calls.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'
import { importProgress } from './calls-import.ts'
import { maxImportRows } from './calls-import-preview.ts'
import { rowFields } from './rules-row.ts'

const cell = z.string().check(z.maxLength(500))

/** The texts of one student in the order of `rowFields`; `row` is its number in the grid, counting from 1. */
const gridRow = z.strictObject({
  row: z.int().check(z.minimum(1), z.maximum(100_000)),
  cells: z.array(cell).check(z.length(rowFields.length)),
})
export type GridRow = z.output<typeof gridRow>

const rows = z.array(gridRow).check(z.minLength(1), z.maxLength(maxImportRows))
const bodyLimit = 5 * 1024 * 1024

export const entryOffers = endpoint('GET /api/ManageStudent/EntryOffers', {
  summary: 'What every class is offered in a season, in one answer: the price list of the grid.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({
    /** Whether students can be entered */
    open: z.boolean(),
    classes: z.array(z.object({ classId: z.int(), subjects: z.array(subject), books: z.array(bookOption) })),
  }),
})

const fault = z.object({
  row: z.int(),
  /** Field names as in the student entry: `rollno`, `subjectName`, `cb` … */
  field: z.string(),
  message: z.string(),
  suggestions: z.array(z.string()),
})
export type GridRowFault = z.output<typeof fault>

/** Refuses with enrolment.season_closed, access.other_school. */
export const checkRows = endpoint('POST /api/ManageStudent/CheckRows', {
  summary: 'Checks rows of texts as students, against each other and existing students; saves nothing.',
  body: z.strictObject({ FYear: seasonLabel, schId: z.optional(bodyId), rows }),
  bodyLimit,
  answer: z.object({
    /** Rows that would be entered */
    fresh: z.array(z.int()),
    /** Rows of students already in the list: same name, same roll no. `differs`: with other subjects or books */
    there: z.array(z.object({ row: z.int(), studentName: z.string(), differs: z.boolean() })),
    faults: z.array(fault),
    /** Rows to look at before entering: the same name and class as an existing student, or digits in the name */
    likely: z.array(z.object({ row: z.int(), message: z.string() })),
    /** Totals of the rows to be entered, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
    school_Expenses: z.number(),
    book_school_Expenses: z.number(),
  }),
})

/**
 * Refuses with enrolment.season_closed, enrolment.amounts_changed (new amounts beside the message), changed_meanwhile
 * (a row can no longer be entered; CheckRows says why). Called again with the same rows, it returns the progress.
 * CancelImport, ImportStatus and UndoImport take its `importId`, too.
 */
export const enterRows = endpoint('POST /api/ManageStudent/EnterRows', {
  summary: 'Enters checked rows, as a background job; called again, it returns the progress.',
  body: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(bodyId),
    /** The rows that CheckRows would enter */
    rows,
    /** The amounts shown for them, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
  }),
  bodyLimit,
  answer: importProgress,
})
