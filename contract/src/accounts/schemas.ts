import * as z from 'zod/mini'
import { india } from '../catalogue/calls-places.ts'
import { bareMobile, email, latinDigits, onceTexts, optionalText, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { personsName } from '../persons.ts'

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

/** Fields that several forms about accounts share, with the messages of the specification's section 5. */

export const emailId = email(messages.emailRequired, messages.emailInvalid)

/** A mobile or phone number after tidying: 10 to 12 digits (specification, section 9). */
export function phone(required: string) {
  return z.pipe(
    z.pipe(text(required, 30), z.transform(bareMobile)),
    z.string().check(z.regex(/^[0-9]{10,12}$/, messages.mobileInvalid)),
  )
}

export const shortestPassword = 8
export const longestPassword = 128

/** A password as somebody types it to sign in. Longer ones can't be right and must not cost time. */
export const typedPassword = z
  .string(messages.passwordRequired)
  .check(z.minLength(1, messages.passwordRequired), z.maxLength(1000, messages.passwordLong))

/** A password that somebody chooses; the server refuses common ones too. */
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

/** The check that the specification does not show: both passwords are the same. An empty one has its own sentence. */
export function samePasswords<Form extends Passwords>() {
  const same = ({ password, rePassword }: Form) =>
    password === '' || rePassword === '' || password === rePassword
  return z.refine<Form>(same, {
    path: ['rePassword'],
    error: messages.passwordsDiffer,
    when: onceTexts('password', 'rePassword'),
  })
}

/** The language in which a person wants to be written to. */
export const language = z.optional(z.enum(['en', 'hi']))

/** What the sign-in form asks for. */
export const signInForm = z.strictObject({ emailId, password: typedPassword })

/** What a person may change of their own account. */
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
  /** Not in the specification: by them a school that is known already is recognised */
  udiseCode: z.pipe(
    z.pipe(optionalText(20), z.transform(latinDigits)),
    z.string().check(z.regex(/^([0-9]{11})?$/, messages.udiseInvalid)),
  ),
  affiliationNo: optionalText(40),
}

export const schoolDetailForm = z.strictObject(schoolDetails).check(pinFits)

/** What the office asked is answered with the form as it is now. */
export const answered = { ...schoolDetails, answer: optionalText(1000) }
export const answerBackForm = z.strictObject(answered).check(pinFits)
