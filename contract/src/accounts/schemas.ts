import * as z from 'zod/mini'
import { india } from '../catalogue/calls-places.ts'
import { email, latinDigits, normaliseMobile, optionalText, text, whenTexts } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { messages } from '../messages.ts'
import { personsName } from '../persons.ts'

const normalisePinCode = (typed: string) => latinDigits(typed).replace(/^(\d{3}) (\d{3})$/, '$1$2')

/** A required pin code: plain digits, and no space in the middle of an Indian one (`411 001`). */
export const pinCode = (required: string) => z.pipe(text(required, 10), z.transform(normalisePinCode))
export const optionalPinCode = z.pipe(optionalText(10), z.transform(normalisePinCode))

/** For a form with a country: checks that the pin code is valid in that country. */
export const checkPinCode = z.refine<{ country: string; pinCode: string }>(
  (form) => form.pinCode === '' || isPinCode(form.country, form.pinCode),
  { path: ['pinCode'], error: messages.pinCodeInvalid, when: whenTexts('country', 'pinCode') },
)

/** Whether a pin code is valid: six digits in India, 2 to 10 letters, digits, spaces or hyphens elsewhere. */
export function isPinCode(country: string, pinCode: string): boolean {
  return country === india ? /^[1-9][0-9]{5}$/.test(pinCode) : /^[A-Za-z0-9][A-Za-z0-9 -]{1,9}$/.test(pinCode)
}

/** Fields shared by several account forms, with the messages of the specification's section 5. */

export const emailId = email(messages.emailRequired, messages.emailInvalid)

/** A mobile or phone number after normalising: 10 to 12 digits (specification, section 9). */
export function phone(required: string) {
  return z.pipe(
    z.pipe(text(required, 30), z.transform(normaliseMobile)),
    z.string().check(z.regex(/^[0-9]{10,12}$/, messages.mobileInvalid)),
  )
}

const shortestPassword = 8
const longestPassword = 128

/** A password typed to sign in. A longer one can't be right and must not cost hashing time. */
export const typedPassword = z
  .string(messages.passwordRequired)
  .check(z.minLength(1, messages.passwordRequired), z.maxLength(1000, messages.passwordLong))

/** A new password; the server also refuses common ones. */
export const newPassword = z.string(messages.passwordRequired).check(
  z.minLength(1, messages.passwordRequired),
  z.refine((typed) => typed === '' || typed.length >= shortestPassword, messages.passwordShort),
  z.maxLength(longestPassword, messages.passwordLong),
)

export const rePassword = z
  .string(messages.rePasswordRequired)
  .check(z.minLength(1, messages.rePasswordRequired))

interface Passwords {
  password: string
  rePassword: string
}

/** Checks that both passwords are the same (not in the specification). An empty one has its own message. */
export function samePasswords<Form extends Passwords>() {
  const arePasswordsEqual = ({ password, rePassword }: Form) =>
    password === '' || rePassword === '' || password === rePassword
  return z.refine<Form>(arePasswordsEqual, {
    path: ['rePassword'],
    error: messages.passwordsDiffer,
    when: whenTexts('password', 'rePassword'),
  })
}

/** The language of e-mails to a user. */
export const language = z.optional(z.enum(writtenLanguages))

/** The sign-in form. */
export const signInForm = z.strictObject({ emailId, password: typedPassword })

/** What users may change in their own account. */
export const profileForm = z.strictObject({
  userName: personsName(messages.nameRequired),
  mobile: phone(messages.mobileRequired),
})

/** The school detail form (specification, sections 2.6, 5). */

export const schoolDetails = {
  schName: text(messages.schoolNameRequired, 200),
  schAddress: text(messages.addressRequired, 300),
  city: text(messages.cityRequired, 100),
  state: text(messages.stateRequired, 100),
  district: text(messages.districtRequired, 100),
  country: text(messages.countryRequired, 100),
  pinCode: pinCode(messages.schoolPinCodeRequired),
  mobile: phone(messages.phoneRequired),
  /** Not in the specification: used to recognise a school that is already registered */
  udiseCode: z.pipe(
    z.pipe(
      optionalText(20),
      z.transform((typed) => latinDigits(typed).replaceAll(' ', '')),
    ),
    z.string().check(z.regex(/^([0-9]{11})?$/, messages.udiseInvalid)),
  ),
  affiliationNo: optionalText(40),
}

export const schoolDetailForm = z.strictObject(schoolDetails).check(checkPinCode)

/** The answer to a question of the office, sent with the current form. */
export const answered = { ...schoolDetails, answer: optionalText(1000) }
export const answerBackForm = z.strictObject(answered).check(checkPinCode)
