import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, email, latinDigits, optionalText, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { personsName } from '../persons.ts'
import { linkId, userDetails } from './calls.ts'
import {
  checkPinCode,
  emailId,
  language,
  newPassword,
  optionalPinCode,
  phone,
  pinCode,
  rePassword,
  samePasswords,
  typedPassword,
} from './schemas.ts'

/** The steps of a registration: access code, e-mail, one-time password, form (specification, sections 2.4, 4). */

const school = z.object({
  id: z.number(),
  schName: z.string(),
  schAddress: z.string(),
  cityName: z.string(),
  stateName: z.string(),
  schPinCode: z.string(),
  countryName: z.string(),
  /** Always empty: codes are compared on the server (docs/decisions/0005) */
  accessCode: z.string(),
})
export type LinkedSchool = z.output<typeof school>

export const getUserDetailsByUid = endpoint('GET /api/Account/GET_USER_DETAILS_BY_UID', {
  summary: 'The school behind a school link.',
  query: z.strictObject({ GUID: z._default(z.string().check(z.maxLength(200)), '') }),
  answer: z.object({ data: z.array(school) }),
})

export const accessCode = z.pipe(text(messages.accessCodeRequired, 40), z.transform(latinDigits))

export const verifyAccessCode = endpoint('POST /api/Account/VerifyAccessCode', {
  summary: 'Proves the access code of a school link; this browser keeps the proof for 30 minutes.',
  body: z.strictObject({ id: linkId, code: accessCode }),
  answer: z.object({ schId: z.number() }),
})

const emailVerifyAnswer = z.object({
  /** Seconds until another e-mail can be requested, and until the code expires */
  resendIn: z.number(),
  expiresIn: z.number(),
})

export const emailVerify = endpoint('POST /api/Account/EmailVerify', {
  summary:
    'Sends a one-time password to an address; the answer is the same whether it has an account or not.',
  body: z.strictObject({ EmailId: emailId, language }),
  answer: emailVerifyAnswer,
})

export const emailVerifyGet = endpoint('GET /api/Account/EmailVerify', {
  summary: 'The same as the POST call.',
  query: z.strictObject({ EmailId: emailId }),
  answer: emailVerifyAnswer,
})

export const otp = z.pipe(text(messages.otpRequired, 20), z.transform(latinDigits))

const otpVerifyAnswer = z.object({
  /** `sign-in`: the provider's user already has an account; call Login with socialMediaDetails */
  next: z.enum(['register', 'sign-in']),
  /** For a client without cookies: the proof that Register takes, valid once and for 30 minutes. Empty for a browser */
  proof: z.string(),
})

export const otpVerify = endpoint('POST /api/Account/OTPVerify', {
  summary: 'Checks a one-time password; after five wrong attempts a new one is needed.',
  body: z.strictObject({ EmailId: emailId, otp }),
  answer: otpVerifyAnswer,
})

export const otpVerifyGet = endpoint('GET /api/Account/OTPVerify', {
  summary: 'The same as the POST call.',
  query: z.strictObject({ EmailId: emailId, otp }),
  answer: otpVerifyAnswer,
})

export const provenEmail = endpoint('GET /api/Account/ProvenEmail', {
  summary: 'The address this browser has proved, by a one-time password or a provider; empty if none.',
  answer: z.object({
    emailId: z.string(),
    userName: z.string(),
    /** The provider did not confirm the address: a one-time password was e-mailed to it and must be entered */
    confirm: z.boolean(),
  }),
})

export const designations = ['Teacher', 'Parent', 'School'] as const

/** The form's fields apart from the passwords, with its messages. Location is asked only without a school link. */
const registerFields = {
  userName: personsName(messages.nameRequired),
  mobile: phone(messages.mobileRequired),
  genderType: z.union([z.literal(1), z.literal(2)], { error: messages.genderRequired }),
  designation: z.enum(designations, { error: messages.youAreARequired }),
  disclaimer: z.literal(true, { error: messages.termsRequired }),
  password: newPassword,
  rePassword,
}

const locationFields = {
  country: text(messages.countryRequired, 100),
  state: text(messages.stateRequired, 100),
  city: text(messages.cityRequired, 100),
  pinCode: pinCode(messages.pinCodeRequired),
}

const address = text(messages.addressRequired, 300)

/** The registration form for someone with a school link. */
export const registerForm = z.strictObject({ ...registerFields, address }).check(samePasswords())
/** The registration form for someone without a school link. */
export const registerFormWithPlace = z
  .strictObject({ ...registerFields, address, ...locationFields })
  .check(samePasswords(), checkPinCode)

export const register = endpoint('POST /api/account/Register', {
  summary:
    'Creates an account for the proved address, at the school of the proved access code if there is one, and signs it in.',
  body: z
    .strictObject({
      ...registerFields,
      emailId,
      address,
      city: optionalText(100),
      state: optionalText(100),
      country: optionalText(100),
      pinCode: optionalPinCode,
      /** The school of the link; 0, null or absent if there is no link */
      schId: z.optional(z.nullable(bodyId)),
      /** From a client without cookies: the proof that OTPVerify returned */
      proof: z.optional(z.string().check(z.maxLength(64))),
      language,
    })
    .check(samePasswords()),
  answer: z.object({ token: z.string(), userDetails }),
})

/** Resetting a forgotten password. */

const forgotten = email(messages.enterEmail, messages.emailInvalid)

export const forgotPassword = endpoint('POST /api/Account/ForgotPassword', {
  summary: 'Sends a link to set a new password; the answer is the same for every address.',
  body: z.strictObject({ emailId: forgotten, language }),
})

export const forgotPasswordGet = endpoint('GET /api/Account/ForgotPassword', {
  summary: 'The same as the POST call.',
  query: z.strictObject({ emailId: forgotten }),
})

export const newPasswordForm = z.strictObject({ password: newPassword, rePassword }).check(samePasswords())

const resetToken = z.string().check(z.maxLength(200))

export const resetLink = endpoint('POST /api/Account/ResetLink', {
  summary: 'Checks an e-mailed link for a new password; refused if it has expired or was used.',
  body: z.strictObject({ token: resetToken }),
})

export const resetPassword = endpoint('POST /api/Account/ResetPassword', {
  summary: 'Sets a new password with the token of the e-mailed link; works once and ends all sessions.',
  body: z.strictObject({ token: resetToken, password: newPassword, rePassword }).check(samePasswords()),
})

export const changePassword = endpoint('POST /api/Account/ChangePassword', {
  summary: 'Sets a new password and ends all other sessions.',
  body: z
    .strictObject({ currentPassword: typedPassword, password: newPassword, rePassword })
    .check(samePasswords()),
})
