import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, seasonLabel } from '../fields.ts'
import { importId, importPreview, importState, rowError } from './calls-import-preview.ts'

export const importStudents = endpoint('POST /api/ManageStudent/ImportStudents', {
  summary: 'Reads and checks an XLSX or CSV file of students; nothing is saved before it is confirmed.',
  query: z.strictObject({ FYear: seasonLabel }),
  upload: true,
  bodyLimit: 5 * 1024 * 1024,
  answer: importPreview,
})

/** How far an import is. */
export const importProgress = z.object({
  importId,
  /** Of the file; the label of last season where its students are carried over */
  fileName: z.string(),
  source: z.enum(['file', 'carry-over', 'grid']),
  state: importState,
  /** Rows dealt with, of `total` good ones */
  done: z.int(),
  total: z.int(),
  /** Students entered, and students changed */
  imported: z.int(),
  changed: z.int(),
  /** Good rows that could not be saved after all, e.g. because somebody entered the roll no meanwhile */
  refused: z.array(rowError),
  /** Why it failed; empty otherwise */
  error: z.string(),
  /** Students that UndoImport would take back or set back now */
  undoable: z.int(),
  /** It has been taken back, as far as that was possible */
  undone: z.boolean(),
  /** The import in which the rows of the file that this one left behind wait; empty where there is none */
  rest: z.string(),
})

export const confirmImport = endpoint('POST /api/ManageStudent/ConfirmImport', {
  summary: 'Saves the good rows of a checked file, as counted work; asked again it tells how far it is.',
  /** With `revision` only what was seen is saved: else changed_meanwhile */
  body: z.strictObject({ importId, revision: z.optional(bodyId) }),
  answer: importProgress,
})

export const cancelImport = endpoint('POST /api/ManageStudent/CancelImport', {
  summary: 'Stops an import; what is saved by then stays.',
  body: z.strictObject({ importId }),
  answer: importProgress,
})

export const importStatus = endpoint('GET /api/ManageStudent/ImportStatus', {
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
export const undoImport = endpoint('POST /api/ManageStudent/UndoImport', {
  summary:
    'Takes an import back: its students that are unpaid and unchanged are gone, or as they were before it; the others are named.',
  body: z.strictObject({ importId }),
  /** Students who are gone, who are as they were before, who stay */
  answer: z.object({ importId, removed: z.int(), restored: z.int(), stayed: z.array(stayed) }),
})

export const importTemplate = endpoint('GET /api/ManageStudent/ImportTemplate', {
  summary: 'A spreadsheet to fill in: the headings, with classes and sections to choose from.',
  query: z.strictObject({ FYear: seasonLabel }),
  answers: 'file',
})
