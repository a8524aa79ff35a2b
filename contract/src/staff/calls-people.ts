import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, email, optionalText, queryId, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { personsName } from '../persons.ts'
import { newPassword } from './calls.ts'

/** Users of the office: who they are, their roles, and where they are signed in. */

export const roles = ['owner', 'operations', 'accounts', 'results', 'viewer'] as const
export const staffStates = ['active', 'invited', 'off'] as const

const member = z.object({
  id: z.int(),
  version: z.int(),
  name: z.string(),
  emailId: z.string(),
  role: z.enum(roles),
  /** `invited`: has not set a password yet */
  state: z.enum(staffStates),
  secondFactor: z.boolean(),
  recoveryCodes: z.int(),
  /** Number of active sessions */
  sessions: z.int(),
  lastSeen: z.nullable(z.string()),
  since: z.string(),
  /** Whether this is the caller */
  self: z.boolean(),
  /** The only owner left, who can't be demoted or deactivated */
  lastOwner: z.boolean(),
})
export type StaffMember = z.output<typeof member>

export const staffList = endpoint('GET /api/office/staff/list', {
  summary: "The office's people, with their roles.",
  query: z.strictObject({
    /** Part of a name or e-mail */
    search: optionalText(100),
    role: z._default(z.enum(['', ...roles]), ''),
    state: z._default(z.enum(['', ...staffStates]), ''),
  }),
  answer: z.object({ data: z.array(member) }),
})

/** POST, because it writes to the audit log. */
export const exportStaff = endpoint('POST /api/office/staff/export', {
  summary: "The office's people that the filters leave, with role, state and last use, as a spreadsheet.",
  body: z.strictObject({
    search: optionalText(100),
    role: z._default(z.enum(['', ...roles]), ''),
    state: z._default(z.enum(['', ...staffStates]), ''),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const inviteForm = z.strictObject({
  name: personsName(messages.nameRequired),
  emailId: email(messages.emailRequired, messages.emailInvalid),
  role: z.enum(roles),
})

export const inviteStaff = endpoint('POST /api/office/staff/invite', {
  summary: 'Makes an account for a colleague and sends the link with which the password is set.',
  body: inviteForm,
  answer: z.object({ id: z.int() }),
})

const which = { id: bodyId, version: bodyId }

export const sendStaffLink = endpoint('POST /api/office/staff/sendLink', {
  summary: 'Sends a link for setting a password; links that were sent before work no more.',
  body: z.strictObject(which),
})

export const setStaffRole = endpoint('POST /api/office/staff/role', {
  summary: 'Gives somebody of the office another role, which signs them out. Not the only owner.',
  body: z.strictObject({ ...which, role: z.enum(roles) }),
})

export const setStaffStatus = endpoint('POST /api/office/staff/standing', {
  summary: 'Switches somebody off, who is signed out at once, or on again. Not the only owner.',
  body: z.strictObject({ ...which, active: z.boolean(), reason: text(messages.reasonRequired, 500) }),
})

export const resetSecondFactor = endpoint('POST /api/office/staff/resetSecondFactor', {
  summary: 'Takes the second factor of a colleague back, who sets up a new one at the next sign-in.',
  body: z.strictObject({ ...which, reason: text(messages.reasonRequired, 500) }),
})

const session = z.object({
  id: z.string(),
  current: z.boolean(),
  agent: z.string(),
  since: z.string(),
  lastSeen: z.string(),
  /** The school the session is signed in as; otherwise empty */
  school: z.string(),
})
export type StaffSession = z.output<typeof session>

export const staffSessions = endpoint('GET /api/office/staff/sessions', {
  summary: 'Where somebody of the office is signed in, the latest first.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({ data: z.array(session) }),
})

export const endStaffSessions = endpoint('POST /api/office/staff/endSessions', {
  summary: 'Signs somebody of the office out, at one place or everywhere.',
  body: z.strictObject({ id: bodyId, session: z._default(z.string().check(z.maxLength(64)), '') }),
})

export const ownSessions = endpoint('GET /api/office/account/sessions', {
  summary: 'Where the caller is signed in, the latest first, and how many recovery codes are left.',
  answer: z.object({ data: z.array(session), recoveryCodes: z.int() }),
})

export const endOwnSessions = endpoint('POST /api/office/account/endSessions', {
  summary: 'Signs the caller out at one other place, or at all others.',
  body: z.strictObject({ session: z._default(z.string().check(z.maxLength(64)), '') }),
})

const code = z
  .string(messages.officeCodeRequired)
  .check(z.minLength(1, messages.officeCodeRequired), z.maxLength(20, messages.officeCodeInvalid))

export const newRecoveryCodes = endpoint('POST /api/office/account/recoveryCodes', {
  summary: "Makes the caller's recovery codes anew, against a code of the authenticator; shown once.",
  body: z.strictObject({ code }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
})

export const changeOfficePassword = endpoint('POST /api/office/account/password', {
  summary: "Changes the caller's password and signs out everywhere else.",
  body: z.strictObject({
    password: z
      .string(messages.passwordRequired)
      .check(z.minLength(1, messages.passwordRequired), z.maxLength(128)),
    newPassword,
  }),
})

const token = text(messages.officeLinkIncomplete, 100)

export const readInvitation = endpoint('POST /api/office/Invitation', {
  summary: 'Whose password a mailed link sets.',
  body: z.strictObject({ token }),
  answer: z.object({ name: z.string(), emailId: z.string() }),
})

export const acceptInvitation = endpoint('POST /api/office/AcceptInvitation', {
  summary: 'Sets the password by the mailed link; the second factor follows at the sign-in.',
  body: z.strictObject({ token, password: newPassword }),
})
