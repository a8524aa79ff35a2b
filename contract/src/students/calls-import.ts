import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, seasonLabel, studentInClass } from '../fields.ts'
import { importId, importPreview, importState, rowError } from './calls-import-preview.ts'

export const importStudents = endpoint('POST /api/ManageStudent/ImportStudents', {
  summary: 'Reads and checks an XLSX or CSV file of students; saves no students until it is confirmed.',
  query: z.strictObject({ FYear: seasonLabel }),
  upload: true,
  bodyLimit: 5 * 1024 * 1024,
  answer: importPreview,
})

/** Progress of an import. */
export const importProgress = z.object({
  importId,
  /** The file's name; for a carry-over, last season's label */
  fileName: z.string(),
  source: z.enum(['file', 'carry-over', 'grid']),
  state: importState,
  /** Rows processed of the `total` valid ones */
  done: z.int(),
  total: z.int(),
  /** Students entered, and students changed */
  imported: z.int(),
  changed: z.int(),
  /** Valid rows that could not be saved, e.g. because someone has used the roll no since */
  refused: z.array(rowError),
  /** Why it failed; otherwise empty */
  error: z.string(),
  /** Students that UndoImport would remove or restore now */
  undoable: z.int(),
  /** It has been undone, as far as possible */
  undone: z.boolean(),
  /** The import with the rows this one left out; empty if there is none */
  rest: z.string(),
})

export const confirmImport = endpoint('POST /api/ManageStudent/ConfirmImport', {
  summary:
    'Saves the valid rows of a checked file, as a background job; called again, it returns the progress.',
  /** With `revision`, refuses with changed_meanwhile unless it is the one that was shown */
  body: z.strictObject({ importId, revision: z.optional(bodyId) }),
  answer: importProgress,
})

export const cancelImport = endpoint('POST /api/ManageStudent/CancelImport', {
  summary: 'Stops an import; what is saved by then stays.',
  body: z.strictObject({ importId }),
  answer: importProgress,
})

export const importStatus = endpoint('GET /api/ManageStudent/ImportStatus', {
  summary: 'Progress of an import.',
  query: z.strictObject({ importId }),
  answer: importProgress,
})

/**
 * A student an undo leaves in place: paid, being verified, in a sent payment, changed since, with a waiver, consent or request
 * (`asked`), signed off or closed.
 */
const remainingStudent = z.object({
  id: z.int(),
  ...studentInClass,
  reason: z.enum(['paid', 'locked', 'sent', 'changed', 'asked', 'signed', 'closed']),
})
export type RemainingStudent = z.output<typeof remainingStudent>

/** Refuses with enrolment.import_running, enrolment.season_closed, enrolment.undo_nothing (all of them stay). */
export const undoImport = endpoint('POST /api/ManageStudent/UndoImport', {
  summary: 'Undoes an import: removes or restores its unpaid, unchanged students, and lists the others.',
  body: z.strictObject({ importId }),
  /** Students removed, restored, and left in place */
  answer: z.object({ importId, removed: z.int(), restored: z.int(), stayed: z.array(remainingStudent) }),
})

export const importTemplate = endpoint('GET /api/ManageStudent/ImportTemplate', {
  summary: 'A template: the headings, with classes and sections to choose from.',
  query: z.strictObject({ FYear: seasonLabel }),
  answers: 'file',
})
