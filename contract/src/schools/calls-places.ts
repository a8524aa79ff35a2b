import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { latinDigits, onceTexts, optionalText, queryId, text } from '../fields.ts'
import { messages } from '../messages.ts'

/** Country id of India: the only country with a list of states (specification, section 9). */
export const indiaId = 1
export const india = 'India'

/** Lists of places change about once a year. */
const keptFor = 60

export const getCountry = endpoint({
  keptFor,
  method: 'GET',
  path: '/api/Account/GetCountry',
  summary: 'All countries, India first.',
  answer: z.object({ data: z.array(z.object({ countryId: z.number(), countryName: z.string() })) }),
})

export const getState = endpoint({
  keptFor,
  method: 'GET',
  path: '/api/Account/GetState',
  summary: 'The states and union territories of India (countryId 1); an empty list for any other country.',
  query: z.strictObject({ countryId: queryId }),
  answer: z.object({ data: z.array(z.object({ stateId: z.number(), stateName: z.string() })) }),
})

export const getDistrict = endpoint({
  keptFor,
  method: 'GET',
  path: '/api/Account/GetDistrict',
  summary: 'The districts of a state of India that are known, to choose from; others may be typed.',
  query: z.strictObject({ state: z.string().check(z.maxLength(100)) }),
  answer: z.object({ data: z.array(z.object({ districtName: z.string() })) }),
})

const barePinCode = (typed: string) => latinDigits(typed).replace(/^(\d{3}) (\d{3})$/, '$1$2')

/** A required pin code: in plain digits, an Indian one without the space in its middle (`411 001`). */
export const pinCode = (required: string) => z.pipe(text(required, 10), z.transform(barePinCode))
export const optionalPinCode = z.pipe(optionalText(10), z.transform(barePinCode))

/** Of a form with a country: the pin code is one of it. */
export const pinFits = z.refine<{ country: string; pinCode: string }>(
  (form) => form.pinCode === '' || isPinCode(form.country, form.pinCode),
  { path: ['pinCode'], error: messages.pinCodeInvalid, when: onceTexts('country', 'pinCode') },
)

/** Whether this can be the pin code of an address: six digits in India, what post offices elsewhere use. */
export function isPinCode(country: string, pinCode: string): boolean {
  return country === india ? /^[1-9][0-9]{5}$/.test(pinCode) : /^[A-Za-z0-9][A-Za-z0-9 -]{1,9}$/.test(pinCode)
}
