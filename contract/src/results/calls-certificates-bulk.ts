import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, jobProgress, optionalText } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { searchResults } from './calls.ts'

/** Certificates of long lists: made by a background job, downloaded as a PDF for each class or as one ZIP. */

/** Most certificates in one job; for more, choose a state or class. */
export const maxBulkCertificates = 20_000
/** How long a job's files can be downloaded, in hours from the start of the job. */
export const certificateHours = 24

/** `classes`: a PDF by class, each once it is ready. `zip`: PDFs by class for a school, by school for the office. */
export const certificateShapes = ['classes', 'zip'] as const
export type CertificateShape = (typeof certificateShapes)[number]

const how = {
  language: z._default(z.enum(writtenLanguages), 'en'),
  as: z._default(z.enum(certificateShapes), 'zip'),
}

const certificateFile = z.object({
  /** Counts from 1; 0 is the ZIP of all */
  part: z.int(),
  name: z.string(),
  certificates: z.int(),
  bytes: z.int(),
})

const certificateJob = z.object({
  jobId: z.string(),
  subjectName: z.string(),
  season: z.string(),
  as: z.enum(certificateShapes),
  /** Until when its files can be downloaded */
  until: z.string(),
  /** Numbers of certificates */
  ...jobProgress,
  /** Files that are ready */
  files: z.array(certificateFile),
  /** `download`: not once the results were corrected or withheld */
  can: z.object({ download: allowance }),
})
export type CertificateJob = z.output<typeof certificateJob>

const state = { answer: z.object({ job: z.nullable(certificateJob) }) }
const started = { answer: z.object({ jobId: z.string() }) }
const jobId = z.string().check(z.maxLength(40))
const filePart = z.strictObject({ jobId, part: bodyId })

export const startSchoolCertificates = endpoint('POST /api/ManageResult/StartCertificates', {
  summary: 'Makes certificates of all released results that match the filters, as a background job.',
  body: z.extend(searchResults.body, how),
  ...started,
})

export const schoolCertificateJob = endpoint('GET /api/ManageResult/CertificateJob', {
  summary:
    "Progress of the school's certificates, and the files that are ready; the newest job of the last day.",
  ...state,
})

export const cancelSchoolCertificates = endpoint('POST /api/ManageResult/CancelCertificates', {
  summary: 'Stops making certificates; PDFs that are ready stay available.',
  body: z.strictObject({ jobId }),
})

export const schoolCertificateFile = endpoint('POST /api/ManageResult/CertificateFile', {
  summary:
    "A file of the school's certificates; not while the results are withheld, or after they were corrected.",
  body: filePart,
  answers: 'file',
})

export const startOfficeCertificates = endpoint('POST /api/office/results/startCertificates', {
  summary: 'Makes the certificates of an event, of all schools or by code or state, as a background job.',
  body: z.strictObject({
    eventYearId: bodyId,
    schCode: optionalText(20),
    state: optionalText(100),
    classId: z._default(bodyId, 0),
    action: z.optional(z.union([z.literal(2), z.literal(3), z.literal(5)])),
    ...how,
  }),
  ...started,
})

export const officeCertificateJob = endpoint('GET /api/office/results/certificateJob', {
  summary:
    "Progress of the office's certificates, and the files that are ready; the newest job of the last day.",
  ...state,
})

export const cancelOfficeCertificates = endpoint('POST /api/office/results/cancelCertificates', {
  summary: 'Stops making certificates; PDFs that are ready stay available.',
  body: z.strictObject({ jobId }),
})

export const officeCertificateFile = endpoint('POST /api/office/results/certificateFile', {
  summary: "A file of the office's certificates; not after the results were corrected.",
  body: filePart,
  answers: 'file',
})
