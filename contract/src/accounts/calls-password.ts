import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { email } from '../fields.ts'
import { messages } from '../messages.ts'
import { language, newPassword, rePassword, samePasswords, typedPassword } from './schemas.ts'

/** A forgotten password, and a new one. */

const forgotten = email(messages.enterEmail, messages.emailInvalid)

export const forgotPassword = endpoint('POST /api/Account/ForgotPassword', {
  summary: 'Sends a link for a new password; the same answer for every address.',
  body: z.strictObject({ emailId: forgotten, language }),
})

export const forgotPasswordGet = endpoint('GET /api/Account/ForgotPassword', {
  summary: 'The same as the POST call.',
  query: z.strictObject({ emailId: forgotten }),
})

export const newPasswordForm = z.strictObject({ password: newPassword, rePassword }).check(samePasswords())

const resetToken = z.string().check(z.maxLength(200))

export const resetLink = endpoint('POST /api/Account/ResetLink', {
  summary: 'Whether a mailed link for a new password still works: refused where it has run out or was used.',
  body: z.strictObject({ token: resetToken }),
})

export const resetPassword = endpoint('POST /api/Account/ResetPassword', {
  summary: 'Sets a new password with the token of the mailed link, once; ends all sessions.',
  body: z.strictObject({ token: resetToken, password: newPassword, rePassword }).check(samePasswords()),
})

export const changePassword = endpoint('POST /api/Account/ChangePassword', {
  summary: 'Sets a new password and ends all other sessions.',
  body: z
    .strictObject({ currentPassword: typedPassword, password: newPassword, rePassword })
    .check(samePasswords()),
})
