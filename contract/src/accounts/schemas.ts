import * as z from 'zod/mini'
import { bareMobile, email, onceTexts, text } from '../fields.ts'
import { messages } from '../messages.ts'

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
