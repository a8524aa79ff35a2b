import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { queryId } from '../fields.ts'

/** Country id of India: the only country with a list of states (specification, section 9). */
export const indiaId = 1
export const india = 'India'

/** Lists of places change about once a year. */
const cacheSeconds = 60

export const getCountry = endpoint('GET /api/Account/GetCountry', {
  cacheSeconds,
  summary: 'All countries, India first.',
  answer: z.object({ data: z.array(z.object({ countryId: z.number(), countryName: z.string() })) }),
})

export const getState = endpoint('GET /api/Account/GetState', {
  cacheSeconds,
  summary: 'The states and union territories of India (countryId 1); an empty list for any other country.',
  query: z.strictObject({ countryId: queryId }),
  answer: z.object({ data: z.array(z.object({ stateId: z.number(), stateName: z.string() })) }),
})

export const getDistrict = endpoint('GET /api/Account/GetDistrict', {
  cacheSeconds,
  summary: 'The known districts of an Indian state, as suggestions; others may be typed.',
  query: z.strictObject({ state: z.string().check(z.maxLength(100)) }),
  answer: z.object({ data: z.array(z.object({ districtName: z.string() })) }),
})
