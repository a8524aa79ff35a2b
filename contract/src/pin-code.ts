import * as z from 'zod/mini'
import { india } from './catalogue/calls-places.ts'
import { latinDigits, onceTexts, optionalText, text } from './fields.ts'
import { messages } from './messages.ts'

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
