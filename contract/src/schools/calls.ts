import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** A school as the foundation keeps it (specification, sections 2.14, 3, 7): the school reads it, the foundation changes it. */
const school = z.object({
  schCode: z.string(),
  schName: z.string(),
  schEmail: z.string(),
  schAddress: z.string(),
  /** Empty where there is none; so are group and fax */
  schAffiliationNo: z.string(),
  schGroupId: z.string(),
  cityName: z.string(),
  districtName: z.string(),
  stateName: z.string(),
  countryName: z.string(),
  landLineNo: z.string(),
  schFaxNo: z.string(),
  schWebSite: z.string(),
  schPhoneNo: z.string(),
  whatsAppNo: z.string(),
})
export type School = z.output<typeof school>

export const getSchool = endpoint('GET /api/ManageSchool/GetSchool', {
  summary: 'The details of the own school, as a list of one.',
  query: z.strictObject({ schCode: z.optional(z.string().check(z.maxLength(20))) }),
  answer: z.object({ data: z.array(school) }),
})
