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
  summary: "The office's users, with their roles.",
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
  summary: "The office's users that match the filters, with role, state and last use, as a spreadsheet.",
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
  summary: 'Creates an account for an officer and sends the link to set its password.',
  body: inviteForm,
  answer: z.object({ id: z.int() }),
})

const which = { id: bodyId, version: bodyId }

export const sendStaffLink = endpoint('POST /api/office/staff/sendLink', {
  summary: 'Sends a link to set a password; earlier links stop working.',
  body: z.strictObject(which),
})

export const setStaffRole = endpoint('POST /api/office/staff/role', {
  summary: "Changes an officer's role, which signs them out. Not the only owner's.",
  body: z.strictObject({ ...which, role: z.enum(roles) }),
})

export const setStaffStatus = endpoint('POST /api/office/staff/status', {
  summary: 'Deactivates an officer, who is signed out at once, or reactivates them. Not the only owner.',
  body: z.strictObject({ ...which, active: z.boolean(), reason: text(messages.reasonRequired, 500) }),
})

export const resetSecondFactor = endpoint('POST /api/office/staff/resetSecondFactor', {
  summary: "Resets an officer's second factor; they set up a new one at the next sign-in.",
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
  summary: "An officer's sessions, latest first.",
  query: z.strictObject({ id: queryId }),
  answer: z.object({ data: z.array(session) }),
})

export const endStaffSessions = endpoint('POST /api/office/staff/endSessions', {
  summary: 'Ends one or all sessions of an officer.',
  body: z.strictObject({ id: bodyId, session: z._default(z.string().check(z.maxLength(64)), '') }),
})

export const ownSessions = endpoint('GET /api/office/account/sessions', {
  summary: "The caller's sessions, latest first, and how many recovery codes are left.",
  answer: z.object({ data: z.array(session), recoveryCodes: z.int() }),
})

export const endOwnSessions = endpoint('POST /api/office/account/endSessions', {
  summary: 'Ends one other session of the caller, or all others.',
  body: z.strictObject({ session: z._default(z.string().check(z.maxLength(64)), '') }),
})

const code = z
  .string(messages.officeCodeRequired)
  .check(z.minLength(1, messages.officeCodeRequired), z.maxLength(20, messages.officeCodeInvalid))

export const newRecoveryCodes = endpoint('POST /api/office/account/recoveryCodes', {
  summary: 'Creates new recovery codes for the caller, given an authenticator code; shown once.',
  body: z.strictObject({ code }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
})

export const replaceAuthenticator = endpoint('POST /api/office/account/replaceAuthenticator', {
  summary:
    "Removes the caller's authenticator and recovery codes, given one of their codes, and ends all their sessions; at the next sign-in they set up another phone.",
  body: z.strictObject({ code }),
})

export const changeOfficePassword = endpoint('POST /api/office/account/password', {
  summary: "Changes the caller's password and ends all other sessions.",
  body: z.strictObject({
    password: z
      .string(messages.passwordRequired)
      .check(z.minLength(1, messages.passwordRequired), z.maxLength(128)),
    newPassword,
  }),
})

const token = text(messages.officeLinkIncomplete, 100)

export const readInvitation = endpoint('POST /api/office/Invitation', {
  summary: 'Whose password an e-mailed link sets.',
  body: z.strictObject({ token }),
  answer: z.object({ name: z.string(), emailId: z.string() }),
})

export const acceptInvitation = endpoint('POST /api/office/AcceptInvitation', {
  summary: 'Sets the password with the e-mailed link; the second factor is set up at the sign-in.',
  body: z.strictObject({ token, password: newPassword }),
})
