import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { optionalText, queryId, schoolName, seasonLabel } from '../fields.ts'

/** The office's register: all schools, 50 a page, and its export. */

export const schoolStatuses = ['all', 'active', 'inactive'] as const
export const schoolSorts = ['name', 'code', 'city', 'newest', 'students', 'due'] as const
export type SchoolSort = (typeof schoolSorts)[number]

/** Filters of the register. */
export const schoolFilters = {
  /** The season the figures are for */
  FYear: seasonLabel,
  /** Words of name, city, code, UDISE code, affiliation number, pin code or phone; all must match */
  search: optionalText(100),
  state: optionalText(100),
  district: optionalText(100),
  status: z._default(z.enum(schoolStatuses), 'all'),
  /** `open`: schools that owe something in the season */
  due: z._default(z.enum(['', 'open']), ''),
  /** Schools with users who can sign in, or without */
  staff: z._default(z.enum(['', 'some', 'none']), ''),
  /** Schools with contacts to be confirmed */
  contacts: z._default(z.enum(['', 'waiting']), ''),
  /** Schools with follow-ups: due ones, or all open ones */
  followUp: z._default(z.enum(['', 'due', 'open']), ''),
}
const filters = { ...schoolFilters, sort: z._default(z.enum(schoolSorts), 'name') }

const row = z.object({
  id: z.int(),
  ...schoolName,
  city: z.string(),
  district: z.string(),
  state: z.string(),
  country: z.string(),
  active: z.boolean(),
  version: z.int(),
  /** Users who can sign in */
  staff: z.int(),
  /** Active students of the season */
  students: z.int(),
  /** Owed in the season and not sent yet, in rupees; null if the role may not read payments */
  due: z.nullable(z.number()),
  /** Contacts to be confirmed */
  contacts: z.int(),
})
export type RegisterRow = z.output<typeof row>

export const officeSchools = endpoint('GET /api/office/schools/list', {
  summary: 'All schools that match the filters, 50 a page.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(row), total: z.int(), pageSize: z.int() }),
})

export const officeSchoolPlaces = endpoint('GET /api/office/schools/places', {
  summary: 'States with schools, their districts and the number of schools in each.',
  answer: z.object({
    data: z.array(z.object({ state: z.string(), district: z.string(), schools: z.int() })),
  }),
})

/** POST, because it writes to the audit log. */
export const exportSchools = endpoint('POST /api/office/schools/export', {
  summary: 'All schools that match the filters, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})
