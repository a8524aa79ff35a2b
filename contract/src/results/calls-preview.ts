import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { queryId } from '../fields.ts'
import { resultRow, searchResults } from './calls.ts'
import { correction } from './calls-corrections.ts'

/** The result pages of a school with a version that no school sees yet, for the office alone. */

const ofSchool = {
  setId: queryId,
  schCode: z.string().check(z.minLength(1), z.maxLength(20)),
}

export const previewSchools = endpoint('GET /api/office/results/previewSchools', {
  summary: 'The schools with results in a version that is not released, found by name, code or place.',
  query: z.strictObject({ setId: queryId, search: z._default(z.string().check(z.maxLength(100)), '') }),
  answer: z.object({
    /** The first 20 by code */
    data: z.array(
      z.object({ schCode: z.string(), schName: z.string(), district: z.string(), state: z.string() }),
    ),
  }),
})

/**
 * Answers as `searchResults` does once the version is out, so that the school's own screens show it. `state` is
 * 'released', or 'held' without rows as the school would read; `releasedAt` is the time that is set, or null. Rows carry
 * no address that would open something: `resultLink` and `couponLink` are empty, `gift` says that there will be a link.
 */
export const schoolPreview = endpoint('GET /api/office/results/schoolPreview', {
  summary: 'The results of a school in a version that is not released, as its pages will show them.',
  query: z.strictObject({
    ...ofSchool,
    classId: z._default(queryId, 0),
    /** 2 medal, 3 prize, 5 award; none for all */
    action: z.optional(z.enum(['2', '3', '5'])),
    offset: z._default(queryId, 0),
    limit: z._default(queryId, 50),
  }),
  answer: z.extend(searchResults.answer, {
    data: z.array(z.extend(resultRow, { gift: z.boolean() })),
    version: z.number(),
    school: z.object({ schCode: z.string(), schName: z.string() }),
    /** The column 'Eligible For Level-2/3' is shown */
    leadsOn: z.boolean(),
  }),
})

export const previewCorrections = endpoint('GET /api/office/results/previewCorrections', {
  summary: 'The corrections that a school would read about once a version is released, that version’s first.',
  query: z.strictObject(ofSchool),
  answer: z.object({
    /** `releasedAt` is null for the version that is not released */
    data: z.array(z.extend(correction, { releasedAt: z.nullable(z.string()) })),
  }),
})
