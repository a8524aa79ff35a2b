import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { seasonLabel } from './fields.ts'

/** Rows that one file may have. */
export const mostImportRows = 5_000
const importId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))

/** One fault of one row. `row` counts as the spreadsheet does (the headings are row 1); column 0 is the row as a whole. */
const rowError = z.object({
  row: z.int(),
  /** 1 for column A; 0 for the row as a whole */
  column: z.int(),
  /** `A`, `AB`; empty for the row as a whole */
  columnName: z.string(),
  heading: z.string(),
  /** As in the student entry: `rollno`, `subjectName`, `cb` … */
  field: z.string(),
  /** What the cell holds, shortened */
  value: z.string(),
  message: z.string(),
  /** Of a row that could not be saved after all */
  studentName: z.optional(z.string()),
})
export type ImportRowError = z.output<typeof rowError>

const state = z.enum(['checked', 'waiting', 'running', 'done', 'failed', 'cancelled'])
export type ImportState = z.output<typeof state>

export const importStudents = endpoint({
  method: 'POST',
  path: '/api/ManageStudent/ImportStudents',
  summary: 'Reads and checks an XLSX or CSV file of students; nothing is saved before it is confirmed.',
  query: z.strictObject({ FYear: seasonLabel }),
  upload: true,
  bodyLimit: 5 * 1024 * 1024,
  answer: z.object({
    importId,
    fileName: z.string(),
    /** The same file was sent before for this season. It is checked anew under the same id, unless it is being imported */
    repeated: z.boolean(),
    state,
    rowCount: z.int(),
    goodCount: z.int(),
    badCount: z.int(),
    errorCount: z.int(),
    errors: z.array(rowError),
    /** What each column was taken for; field is empty where it is not used */
    columns: z.array(z.object({ column: z.int(), heading: z.string(), field: z.string() })),
    /** Good rows that may be children entered before: same name and class */
    likely: z.array(z.object({ row: z.int(), message: z.string() })),
    /** Totals of the good rows, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
    school_Expenses: z.number(),
    book_school_Expenses: z.number(),
    /** The first good rows, as they would be saved */
    sample: z.array(
      z.object({
        row: z.int(),
        className: z.string(),
        section: z.string(),
        rollNo: z.int(),
        studentName: z.string(),
        subjectName: z.string(),
        bookCount: z.int(),
        regAmount: z.number(),
        bookAmount: z.number(),
      }),
    ),
  }),
})

/** How far an import is. */
export const importProgress = z.object({
  importId,
  /** Of the file; the label of last season where its students are carried over */
  fileName: z.string(),
  source: z.enum(['file', 'carry-over', 'grid']),
  state,
  /** Rows dealt with, of `total` good ones */
  done: z.int(),
  total: z.int(),
  imported: z.int(),
  /** Good rows that could not be saved after all, e.g. because somebody entered the roll no meanwhile */
  refused: z.array(rowError),
  /** Why it failed; empty otherwise */
  error: z.string(),
  /** Students of it that UndoImport would take back now */
  undoable: z.int(),
  /** It has been taken back, as far as that was possible */
  undone: z.boolean(),
})

export const confirmImport = endpoint({
  method: 'POST',
  path: '/api/ManageStudent/ConfirmImport',
  summary: 'Saves the good rows of a checked file, as counted work; asked again it tells how far it is.',
  body: z.strictObject({ importId }),
  answer: importProgress,
})

export const cancelImport = endpoint({
  method: 'POST',
  path: '/api/ManageStudent/CancelImport',
  summary: 'Stops an import; what is saved by then stays.',
  body: z.strictObject({ importId }),
  answer: importProgress,
})

export const importStatus = endpoint({
  method: 'GET',
  path: '/api/ManageStudent/ImportStatus',
  summary: 'How far an import is.',
  query: z.strictObject({ importId }),
  answer: importProgress,
})

/** A student of an import who can't be taken back: paid for, under verification or once sent for it, changed since, signed off, closed. */
const stayed = z.object({
  id: z.int(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  reason: z.enum(['paid', 'locked', 'sent', 'changed', 'signed', 'closed']),
})
export type UndoStay = z.output<typeof stayed>

/** Refusals: enrolment.import_running, enrolment.season_closed, enrolment.undo_nothing (all of them stay). */
export const undoImport = endpoint({
  method: 'POST',
  path: '/api/ManageStudent/UndoImport',
  summary: 'Takes an import back: its students that are unpaid and unchanged are gone, the others are named.',
  body: z.strictObject({ importId }),
  answer: z.object({ importId, removed: z.int(), stayed: z.array(stayed) }),
})

export const importTemplate = endpoint({
  method: 'GET',
  path: '/api/ManageStudent/ImportTemplate',
  summary: 'A spreadsheet to fill in: the headings, with classes and sections to choose from.',
  query: z.strictObject({ FYear: seasonLabel }),
  answers: 'file',
})
