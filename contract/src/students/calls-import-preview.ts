import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, seasonLabel } from '../fields.ts'

export const importId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))
/** Rows that one file may have. */
export const mostImportRows = 5_000
/** Rows of one kind that a preview names; the counts are of all. */
export const mostNamed = 300

/** One fault of one row. `row` counts as the spreadsheet does (the headings are row 1); column 0 is the row as a whole. */
export const rowError = z.object({
  row: z.int(),
  /** 1 for column A; 0 for the row as a whole */
  column: z.int(),
  /** `A`, `AB`; empty for the row as a whole */
  columnName: z.string(),
  heading: z.string(),
  /** As in the student entry: `rollno`, `subjectName`, `cb` … */
  field: z.string(),
  /** What the cell holds */
  value: z.string(),
  message: z.string(),
  /** What may have been meant: texts for the same cell, likeliest first */
  suggestions: z._default(z.array(z.string()), []),
  /** What stands in the column of names */
  studentName: z.optional(z.string()),
})
export type ImportRowError = z.output<typeof rowError>

export const importState = z.enum(['checked', 'waiting', 'running', 'done', 'failed', 'cancelled'])
export type ImportState = z.output<typeof importState>

/** What a column is taken for, and by what: its heading, what the school said last time, what stands in it, the person. */
const column = z.object({
  column: z.int(),
  columnName: z.string(),
  heading: z.string(),
  /** Empty where it is not used */
  field: z.string(),
  by: z.enum(['heading', 'remembered', 'content', 'person', 'nothing']),
  /** The first different values */
  samples: z.array(z.string()),
})
export type ImportColumn = z.output<typeof column>

const child = {
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
}

/** What differs of a student: `from` as saved, `to` as in the file. */
const difference = z.object({ field: z.string(), from: z.string(), to: z.string() })

/** A row that may be a child who is there already, side by side with it. */
const question = z.object({
  row: z.int(),
  ...child,
  /** The other one: a student of the school, or an earlier row of the file */
  other: z.object({ row: z.int(), id: z.int(), ...child }),
  /** Field by field where both say something */
  facts: z.array(z.object({ field: z.string(), here: z.string(), there: z.string(), same: z.boolean() })),
  /** k of n fields are the same */
  same: z.int(),
  of: z.int(),
  choice: z.enum(['', 'same', 'other', 'out']),
  /** The same roll no: another child needs another one */
  mayBeOther: z.boolean(),
})
export type ImportQuestion = z.output<typeof question>

const keptReason = z.enum(['paid', 'locked', 'closed', 'signed', 'byHand'])

/** Everything that was found in a file, and what an import of it would do. Rows are named up to `mostNamed` of a kind. */
export const importPreview = z.object({
  importId,
  fileName: z.string(),
  season: z.string(),
  /** Counts the checks: what is confirmed is what was seen */
  revision: z.int(),
  /** The same content was sent before for this season */
  repeated: z.boolean(),
  /** The last time when this very file was imported */
  before: z.optional(z.object({ at: z.string(), by: z.string(), imported: z.int(), undone: z.boolean() })),
  state: importState,
  rowCount: z.int(),
  /** Rows that would be saved: new and changed ones */
  goodCount: z.int(),
  newCount: z.int(),
  changedCount: z.int(),
  sameCount: z.int(),
  /** Of students who are paid for, or were changed by hand: not touched */
  keptCount: z.int(),
  /** Rows that wait for a decision */
  askedCount: z.int(),
  outCount: z.int(),
  /** Rows that the person leaves out */
  outRows: z.array(z.int()),
  badCount: z.int(),
  errorCount: z.int(),
  /** Students of the classes in the file who are not in it. They stay. */
  missingCount: z.int(),
  errors: z.array(rowError),
  columns: z.array(column),
  /** The number of the row with the headings; 0 where there is none */
  headRow: z.int(),
  /** Needed fields that no column is taken for: nothing can be checked before */
  unmapped: z.array(z.string()),
  questions: z.array(question),
  changes: z.array(z.object({ row: z.int(), ...child, fields: z.array(difference) })),
  kept: z.array(z.object({ row: z.int(), ...child, reason: keptReason, fields: z.array(difference) })),
  missing: z.array(z.object({ id: z.int(), ...child })),
  /** Usual other names of subjects that were taken for them: «Maths» for Mathematics, in so many rows */
  readAs: z._default(z.array(z.object({ written: z.string(), name: z.string(), rows: z.int() })), []),
  /** Other names that the person does not want taken, in lower case */
  notTaken: z._default(z.array(z.string()), []),
  /** Rows that are no student, as «Total» below a list, with what stands in them; they are not counted */
  dropped: z._default(z.array(z.object({ row: z.int(), text: z.string() })), []),
  /** Rows that will be imported and yet look odd */
  odd: z._default(z.array(z.object({ row: z.int(), message: z.string() })), []),
  /** Cells that were corrected here */
  correctedCount: z.int(),
  /** Totals of the rows that would be saved, in rupees */
  regAmount: z.number(),
  bookAmount: z.number(),
  school_Expenses: z.number(),
  book_school_Expenses: z.number(),
  /** The first of them */
  sample: z.array(
    z.object({
      row: z.int(),
      ...child,
      subjectName: z.string(),
      bookCount: z.int(),
      regAmount: z.number(),
      bookAmount: z.number(),
    }),
  ),
})
export type ImportPreview = z.output<typeof importPreview>

export const previewImport = endpoint('GET /api/ManageStudent/PreviewImport', {
  summary: 'What was found in a file of students that was sent before.',
  query: z.strictObject({ importId }),
  answer: importPreview,
})

const rowNumber = z.int().check(z.minimum(1), z.maximum(1_100_000))
const columnNumber = z.int().check(z.minimum(1), z.maximum(200))
const cellText = z.string().check(z.maxLength(500))

/** What is given is set, what is left out stays as it was. Refusals: changed_meanwhile (another revision), enrolment.import_running. */
export const recheckImport = endpoint('POST /api/ManageStudent/RecheckImport', {
  summary:
    'Checks a file of students again with other columns, corrected cells or decisions; nothing is saved of it.',
  body: z.strictObject({
    importId,
    revision: bodyId,
    /** For each column that changes: the field, or an empty text for none. The school's for the next file with these headings */
    columns: z.optional(
      z
        .array(z.strictObject({ column: columnNumber, field: z.string().check(z.maxLength(40)) }))
        .check(z.maxLength(200)),
    ),
    cells: z.optional(
      z
        .array(z.strictObject({ row: rowNumber, column: columnNumber, text: cellText }))
        .check(z.maxLength(mostImportRows)),
    ),
    /** In each row whose cell of this column holds this text */
    replace: z.optional(
      z.array(z.strictObject({ column: columnNumber, from: cellText, to: cellText })).check(z.maxLength(500)),
    ),
    /** Other names of subjects that are not to be taken for them, and those that are again */
    notTaken: z.optional(
      z.array(z.strictObject({ written: cellText, taken: z.boolean() })).check(z.maxLength(100)),
    ),
    choices: z.optional(
      z
        .array(z.strictObject({ row: rowNumber, choice: z.enum(['', 'same', 'other', 'out']) }))
        .check(z.maxLength(mostImportRows)),
    ),
  }),
  bodyLimit: 2 * 1024 * 1024,
  answer: importPreview,
})

export const importHistory = endpoint('GET /api/ManageStudent/ImportHistory', {
  summary: 'The imports of a school in a season, newest first: who, when, which file, what came of it.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({
    imports: z.array(
      z.object({
        importId,
        fileName: z.string(),
        source: z.enum(['file', 'carry-over', 'grid']),
        state: importState,
        by: z.string(),
        at: z.string(),
        rowCount: z.int(),
        /** Students entered and changed by it */
        imported: z.int(),
        changed: z.int(),
        badCount: z.int(),
        undone: z.boolean(),
        undoable: z.int(),
        /** It can be opened and gone on with */
        open: z.boolean(),
      }),
    ),
  }),
})

export const importFaults = endpoint('GET /api/ManageStudent/ImportFaults', {
  summary:
    'The faulty rows of a file, as they stand in it and with their reasons, as a spreadsheet to correct and send.',
  query: z.strictObject({ importId }),
  answers: 'file',
})
