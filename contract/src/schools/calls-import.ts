import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, pages, queryId, schoolName } from '../fields.ts'
import { newSchoolForm } from './calls-write.ts'

/** Import of schools from a spreadsheet: a job checks the file, an officer reviews it, the schools are created. */

/** Fields a column can contain, in the template's order. */
export const importFields = [
  'schName',
  'schCode',
  'schAddress',
  'city',
  'district',
  'state',
  'country',
  'pinCode',
  'mobile',
  'schEmail',
  'udiseCode',
  'affiliationNo',
  'whatsAppNo',
  'landLineNo',
  'schFaxNo',
  'schWebSite',
  'schGroupId',
] as const
export type ImportField = (typeof importFields)[number]

/** Required columns; without them no row can be valid. */
export const neededFields: readonly ImportField[] = [
  'schName',
  'schAddress',
  'city',
  'district',
  'state',
  'pinCode',
  'mobile',
]

export const importRowStates = ['new', 'likely', 'known', 'faulty', 'created'] as const
export type ImportRowState = (typeof importRowStates)[number]

export const importDecisions = ['same', 'different'] as const
export type ImportDecision = (typeof importDecisions)[number]

/** A new school as parsed by its form. */
export type NewSchool = z.output<typeof newSchoolForm>

/** Checks a row's details by the rules of the form; returns the school, or the errors by field. */
export function readNewSchool(details: Readonly<Record<string, string>>): {
  form: NewSchool | undefined
  faults: { field: string; message: string }[]
} {
  const read = z.safeParse(newSchoolForm, details)
  if (read.success) return { form: read.data, faults: [] }
  return {
    form: undefined,
    faults: read.error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ''), message })),
  }
}

/** Most rows in a file. */
export const maxImportRows = 20_000

const importId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/))
const columnField = z.enum(['', ...importFields])

export const schoolImportTemplate = endpoint('GET /api/office/schools/importTemplate', {
  summary: 'A template: a column for each detail, with states to choose from.',
  answers: 'file',
})

export const startSchoolImport = endpoint('POST /api/office/schools/importStart', {
  summary: 'Uploads a spreadsheet of schools, guesses its columns and starts checking its rows.',
  upload: true,
  bodyLimit: 20 * 1024 * 1024,
  answer: z.object({ importId: z.string() }),
})

export const schoolImports = endpoint('GET /api/office/schools/imports', {
  summary: 'The 20 latest imports of schools.',
  answer: z.object({
    data: z.array(
      z.object({ id: z.string(), fileName: z.string(), state: z.string(), by: z.string(), at: z.string() }),
    ),
  }),
})

export const schoolImport = endpoint('GET /api/office/schools/importOne', {
  summary:
    'Progress of a file of schools, its columns, and how many rows are new, known, similar or invalid.',
  query: z.strictObject({ id: importId }),
  answer: z.object({
    fileName: z.string(),
    state: z.enum(['checking', 'checked', 'importing', 'done', 'failed']),
    /** Why the job failed */
    error: z.string(),
    done: z.int(),
    total: z.int(),
    /** Whether the columns are those of the last file with the same headings */
    remembered: z.boolean(),
    columns: z.array(z.object({ heading: z.string(), samples: z.array(z.string()), field: columnField })),
    counts: z.object({
      new: z.int(),
      likely: z.int(),
      known: z.int(),
      faulty: z.int(),
      created: z.int(),
      /** Possible duplicates confirmed as the same school, and as another one; the rest are undecided */
      same: z.int(),
      different: z.int(),
    }),
  }),
})

export const mapSchoolImport = endpoint('POST /api/office/schools/importMap', {
  summary: 'Sets the columns, and checks the file again.',
  body: z.strictObject({ id: importId, fields: z.array(columnField).check(z.maxLength(60)) }),
})

export const schoolImportRows = endpoint('GET /api/office/schools/importRows', {
  summary: 'Rows of a file in one state, 50 a page.',
  query: z.strictObject({ id: importId, state: z.enum(importRowStates), page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(
      z.object({
        row: z.int(),
        schName: z.string(),
        place: z.string(),
        faults: z.array(z.object({ field: z.string(), message: z.string() })),
        school: z.nullable(
          z.object({ id: z.int(), schCode: z.string(), schName: z.string(), place: z.string() }),
        ),
        /** Possible matches, likeliest first: registered schools, or rows of the file with their number */
        alike: z.array(
          z.object({ id: z.nullable(z.int()), row: z.nullable(z.int()), ...schoolName, place: z.string() }),
        ),
        decision: z.enum(['', ...importDecisions]),
      }),
    ),
    ...pages,
  }),
})

export const schoolImportFaults = endpoint('GET /api/office/schools/importFaults', {
  summary: 'The invalid rows as a spreadsheet with the reasons, to be corrected and imported again.',
  query: z.strictObject({ id: importId }),
  answers: 'file',
})

/** Refuses with schools.import_busy, schools.import_not_alike, not_found. */
export const decideSchoolImport = endpoint('POST /api/office/schools/importDecide', {
  summary: 'Decides for possible duplicates in a file of schools whether they are the school they look like.',
  body: z.strictObject({
    id: importId,
    rows: z.array(bodyId).check(z.minLength(1), z.maxLength(maxImportRows)),
    decision: z.enum(importDecisions),
  }),
})

export const confirmSchoolImport = endpoint('POST /api/office/schools/importConfirm', {
  summary: 'Creates the new schools of a file, and the possible duplicates that are different schools.',
  body: z.strictObject({ id: importId }),
})
