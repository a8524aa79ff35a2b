import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { email, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { personsName } from '../persons.ts'

/** Signing in to the office: e-mail and password, then a second factor. All under /api/office. */

const password = z
  .string(messages.passwordRequired)
  .check(z.minLength(1, messages.passwordRequired), z.maxLength(128))
const address = email(messages.emailRequired, messages.emailInvalid)
const secondFactor = z
  .string(messages.officeCodeRequired)
  .check(z.minLength(1, messages.officeCodeRequired), z.maxLength(20, messages.officeCodeInvalid))

/** The signed-in officer and the permissions of their role. */
const officer = z.object({
  staffId: z.number(),
  name: z.string(),
  emailId: z.string(),
  role: z.string(),
  permissions: z.array(z.string()),
})
export type Officer = z.output<typeof officer>

export const officeSignIn = endpoint('POST /api/office/SignIn', {
  summary: 'First step of the office sign-in; the second factor follows.',
  body: z.strictObject({ emailId: address, password }),
  answer: z.object({
    /** `code`: ask for the code. `enrol`: show the secret first, because they have no second factor yet. */
    next: z.enum(['code', 'enrol']),
    secret: z.optional(z.string()),
    uri: z.optional(z.string()),
  }),
})

export const officeConfirm = endpoint('POST /api/office/Confirm', {
  summary: 'Second step: a code of the authenticator, or a recovery code. Opens the session.',
  body: z.strictObject({ code: secondFactor }),
  answer: z.object({
    token: z.string(),
    officer,
    /** Shown once, after enrolling the second factor */
    recoveryCodes: z.optional(z.array(z.string())),
  }),
})

export const confirmAgain = endpoint('POST /api/office/ConfirmAgain', {
  summary:
    "Confirms the officer's identity by a code (authenticator or recovery) or the password, after a call was refused with `session.confirm`; lasts 10 minutes.",
  body: z
    .strictObject({
      code: z._default(z.string().check(z.maxLength(20, messages.officeCodeInvalid)), ''),
      password: z._default(z.string().check(z.maxLength(128)), ''),
    })
    .check(
      z.refine(({ code, password }) => (code === '') !== (password === ''), {
        path: ['code'],
        error: messages.officeCodeRequired,
      }),
    ),
})

export const officeSignOut = endpoint('POST /api/office/SignOut', { summary: 'Ends the office session.' })

export const officeMe = endpoint('GET /api/office/Me', {
  summary: 'The signed-in officer, the number of open items, and the seasons.',
  answer: z.object({
    officer,
    waiting: z.object({
      applications: z.number(),
      payments: z.number(),
      contacts: z.number(),
      waivers: z.number(),
      /** Undecided lines of bank statements */
      bankLines: z.number(),
      /** Refunds and bank account changes to be approved by a second person */
      refunds: z.number(),
      accounts: z.number(),
    }),
    /** All seasons, including those being prepared */
    seasons: z.array(z.string()),
  }),
})

export const newPassword = z
  .string(messages.passwordRequired)
  .check(z.minLength(12, messages.officePasswordShort), z.maxLength(128, messages.passwordLong))

export const officeSetUp = endpoint('POST /api/office/SetUp', {
  summary: 'Creates the first owner of a new installation, by the one-time link printed at its start.',
  body: z.strictObject({
    token: text(messages.officeLinkIncomplete, 100),
    name: personsName(messages.nameRequired),
    emailId: address,
    password: newPassword,
    foundationName: text(messages.foundationNameRequired, 120),
    supportPhone: text(messages.supportPhoneRequired, 40),
    supportEmail: address,
  }),
})
