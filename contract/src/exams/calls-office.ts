import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { seasonLabel } from '../fields.ts'

/** What the office knows of a season's olympiads, for its filters and its papers. */

const officeExam = z.object({
  eventYearId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examLevel: z.int(),
  examMode: z.enum(['Online', 'Offline']),
  firstDate: z.nullable(z.string()),
  secondDate: z.nullable(z.string()),
})
export type OfficeExam = z.output<typeof officeExam>

export const officeExams = endpoint('GET /api/office/exams/list', {
  summary: 'The olympiads of a season with their mode and dates.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(officeExam) }),
})
