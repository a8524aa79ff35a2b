import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, seasonLabel, studentInClass } from '../fields.ts'

export const importId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))
/** Most rows in a file. */
export const maxImportRows = 5_000
/** Most rows of each kind listed in a preview; the counts include all. */
export const maxNamed = 300

/** One error in a row. `row` counts as in the spreadsheet (the headings are row 1); column 0 is the whole row. */
export const rowError = z.object({
  row: z.int(),
  /** 1 for column A; 0 for the whole row */
  column: z.int(),
  /** `A`, `AB`; empty for the whole row */
  columnName: z.string(),
  heading: z.string(),
  /** Field names as in the student entry: `rollno`, `subjectName`, `cb` … */
  field: z.string(),
  /** Content of the cell */
  value: z.string(),
  message: z.string(),
  /** Suggested texts for the cell, likeliest first */
  suggestions: z._default(z.array(z.string()), []),
  /** Text in the column of names */
  studentName: z.optional(z.string()),
})
export type ImportRowError = z.output<typeof rowError>

export const importState = z.enum(['checked', 'waiting', 'running', 'done', 'failed', 'cancelled'])
export type ImportState = z.output<typeof importState>

/** The field of a column and what decided it: the heading, the school's last choice, the content, or the user. */
const column = z.object({
  column: z.int(),
  columnName: z.string(),
  heading: z.string(),
  /** Empty if it is not used */
  field: z.string(),
  by: z.enum(['heading', 'remembered', 'content', 'person', 'nothing']),
  /** The first distinct values */
  samples: z.array(z.string()),
})
export type ImportColumn = z.output<typeof column>

const child = { ...studentInClass }

/** A changed field: `from` as saved, `to` as in the file. */
const difference = z.object({ field: z.string(), from: z.string(), to: z.string() })

/** A row that may be an existing student, compared with that student. */
const question = z.object({
  row: z.int(),
  ...child,
  /** The existing student, or an earlier row of the file */
  other: z.object({ row: z.int(), id: z.int(), ...child }),
  /** Fields that both have */
  facts: z.array(z.object({ field: z.string(), here: z.string(), there: z.string(), same: z.boolean() })),
  /** How many of the `of` fields are the same */
  same: z.int(),
  of: z.int(),
  choice: z.enum(['', 'same', 'other', 'out']),
  /** Whether it can be another student, which needs another roll no if that is the same */
  mayBeOther: z.boolean(),
})
export type ImportQuestion = z.output<typeof question>

const keptReason = z.enum(['paid', 'locked', 'closed', 'signed', 'byHand'])

/** Everything found in a file, and what importing it would do. Lists up to `maxNamed` rows of each kind. */
export const importPreview = z.object({
  importId,
  fileName: z.string(),
  season: z.string(),
  /** Counts the checks, so that what is confirmed is what was shown */
  revision: z.int(),
  /** The same content was uploaded before for this season */
  repeated: z.boolean(),
  /** When this exact file was last imported */
  before: z.optional(z.object({ at: z.string(), by: z.string(), imported: z.int(), undone: z.boolean() })),
  state: importState,
  rowCount: z.int(),
  /** Rows that would be saved: new and changed ones */
  goodCount: z.int(),
  newCount: z.int(),
  changedCount: z.int(),
  sameCount: z.int(),
  /** Students who are paid, or were changed by hand; they are not changed */
  keptCount: z.int(),
  /** Rows waiting for a decision */
  askedCount: z.int(),
  outCount: z.int(),
  /** Rows the user has left out */
  outRows: z.array(z.int()),
  badCount: z.int(),
  errorCount: z.int(),
  /** Students of the file's classes who are not in it; they are not deleted */
  missingCount: z.int(),
  errors: z.array(rowError),
  columns: z.array(column),
  /** Number of the heading row; 0 if there is none */
  headRow: z.int(),
  /** Required fields without a column; nothing can be checked before they have one */
  unmapped: z.array(z.string()),
  questions: z.array(question),
  changes: z.array(z.object({ row: z.int(), ...child, fields: z.array(difference) })),
  kept: z.array(z.object({ row: z.int(), ...child, reason: keptReason, fields: z.array(difference) })),
  missing: z.array(z.object({ id: z.int(), ...child })),
  /** Alternative names read as subjects: «Maths» for Mathematics, with the number of rows */
  readAs: z._default(z.array(z.object({ written: z.string(), name: z.string(), rows: z.int() })), []),
  /** Alternative names the user has rejected, in lower case */
  notTaken: z._default(z.array(z.string()), []),
  /** Further sheets of the file that have rows: only the first is read */
  otherSheets: z._default(z.array(z.string()), []),
  /** Rows that are no students, such as «Total» below a list, with their text; they are not counted */
  dropped: z._default(z.array(z.object({ row: z.int(), text: z.string() })), []),
  /** Rows that will be imported but look odd */
  odd: z._default(z.array(z.object({ row: z.int(), message: z.string() })), []),
  /** Cells corrected in the preview */
  correctedCount: z.int(),
  /** Totals of the rows that would be saved, in rupees */
  regAmount: z.number(),
  bookAmount: z.number(),
  school_Expenses: z.number(),
  book_school_Expenses: z.number(),
  /** The first rows */
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
  summary: 'The preview of an uploaded file of students.',
  query: z.strictObject({ importId }),
  answer: importPreview,
})

const rowNumber = z.int().check(z.minimum(1), z.maximum(1_100_000))
const columnNumber = z.int().check(z.minimum(1), z.maximum(200))
const cellText = z.string().check(z.maxLength(500))

/** Sets what is given; the rest stays. Refuses with changed_meanwhile (another revision), enrolment.import_running. */
export const recheckImport = endpoint('POST /api/ManageStudent/RecheckImport', {
  summary:
    'Checks a file of students again with other columns, corrected cells or decisions; saves no students.',
  body: z.strictObject({
    importId,
    revision: bodyId,
    /** The new field of a column, '' for none. It becomes the school's choice for files with these headings */
    columns: z.optional(
      z
        .array(z.strictObject({ column: columnNumber, field: z.string().check(z.maxLength(40)) }))
        .check(z.maxLength(200)),
    ),
    cells: z.optional(
      z
        .array(z.strictObject({ row: rowNumber, column: columnNumber, text: cellText }))
        .check(z.maxLength(maxImportRows)),
    ),
    /** Alternative names to reject, and rejected ones to accept again */
    notTaken: z.optional(
      z.array(z.strictObject({ written: cellText, taken: z.boolean() })).check(z.maxLength(100)),
    ),
    choices: z.optional(
      z
        .array(z.strictObject({ row: rowNumber, choice: z.enum(['', 'same', 'other', 'out']) }))
        .check(z.maxLength(maxImportRows)),
    ),
  }),
  bodyLimit: 2 * 1024 * 1024,
  answer: importPreview,
})

export const importHistory = endpoint('GET /api/ManageStudent/ImportHistory', {
  summary: "A school's imports in a season, newest first: user, time, file and result.",
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
        /** Whether it can be opened and continued */
        open: z.boolean(),
      }),
    ),
  }),
})

export const importFaults = endpoint('GET /api/ManageStudent/ImportFaults', {
  summary: 'The invalid rows of a file with the reasons, as a spreadsheet to correct and upload.',
  query: z.strictObject({ importId }),
  answers: 'file',
})
