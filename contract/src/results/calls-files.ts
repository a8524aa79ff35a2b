import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { eventQuery, searchResults } from './calls.ts'

const format = z.enum(['xlsx', 'csv'])

/** POST, so that the names of children stand in no address and no log. */
export const exportResults = endpoint('POST /api/ManageResult/ExportResults', {
  summary: 'The released results of the own school that the filters leave, as a spreadsheet.',
  body: z.extend(searchResults.body, { format }),
  answers: 'file',
})

export const marksTemplate = endpoint('GET /api/office/results/template', {
  summary: 'A file for the marks of an event: its columns, and a row for each student who is to sit.',
  query: z.extend(eventQuery, { format }),
  answers: 'file',
})
