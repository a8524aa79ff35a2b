import * as z from 'zod/mini'
import { invitation } from '../accounts/calls.ts'
import { inviteForm } from '../accounts/calls-invitations.ts'
import { auditLine } from '../audit-log/calls.ts'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, olympiad, pages, queryId, schoolName, seasonLabel, text } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { messages } from '../messages.ts'
import { bounceMark } from '../office/calls-bounces.ts'
import { paymentStates } from '../payments/calls.ts'
import { paymentKinds } from '../payments/rules.ts'
import { isDay } from '../season.ts'
import { orderStatuses } from '../shipping/calls.ts'

/** A school as the office sees it: its record, its users, its seasons and its history. */

/** A school this one was merged into, or one that was merged into it. */
const mergedSchool = z.object({
  id: z.int(),
  ...schoolName,
  /** When the two were merged */
  at: z.string(),
})

export const schoolRecord = z.object({
  id: z.int(),
  version: z.int(),
  ...schoolName,
  schAddress: z.string(),
  city: z.string(),
  district: z.string(),
  state: z.string(),
  zone: z.string(),
  country: z.string(),
  pinCode: z.string(),
  mobile: z.string(),
  udiseCode: z.string(),
  affiliationNo: z.string(),
  schEmail: z.string(),
  bounced: bounceMark,
  schGroupId: z.string(),
  landLineNo: z.string(),
  schFaxNo: z.string(),
  schWebSite: z.string(),
  whatsAppNo: z.string(),
  createdAt: z.string(),
  active: z.boolean(),
  /** Why and since when it is inactive; empty and null while it is active */
  inactiveReason: z.string(),
  inactiveSince: z.nullable(z.string()),
  /** The school it was merged into; null if it was not merged */
  mergedInto: z.nullable(mergedSchool),
  /** Schools merged into this one, newest first */
  merged: z.array(mergedSchool),
})
export type SchoolRecord = z.output<typeof schoolRecord>

const person = z.object({
  id: z.int(),
  version: z.int(),
  name: z.string(),
  email: z.string(),
  bounced: bounceMark,
  mobile: z.string(),
  designation: z.string(),
  coordinator: z.boolean(),
  disabled: z.boolean(),
  /** Null if they have never signed in */
  lastSeen: z.nullable(z.string()),
})
export type SchoolPerson = z.output<typeof person>

const contact = z.object({
  id: z.int(),
  version: z.int(),
  fyear: z.string(),
  designation: z.string(),
  title: z.string(),
  name: z.string(),
  email: z.string(),
  bounced: bounceMark,
  altEmail: z.string(),
  mobile: z.string(),
  altmobile: z.string(),
  active: z.boolean(),
  confirmed: z.boolean(),
})
export type SchoolContact = z.output<typeof contact>

const link = z.object({
  id: z.string(),
  /** Address the QR code opens */
  address: z.string(),
  createdAt: z.string(),
  /** Whether its access code can be shown and printed again */
  readable: z.boolean(),
})
export type OfficeSchoolLink = z.output<typeof link>

export const officeSchool = endpoint('GET /api/office/schools/one', {
  summary: 'A school with its users, its contacts of a season and the unconfirmed ones, and its link.',
  query: z.strictObject({ id: queryId, FYear: seasonLabel }),
  answer: z.object({
    school: schoolRecord,
    staff: z.array(person),
    /** Invited, not joined yet */
    invitations: z.array(invitation),
    contacts: z.array(contact),
    link: z.nullable(link),
    /** Notes whose follow-up is due */
    followUps: z.int(),
    can: z.object({ write: allowance, codes: allowance, merge: allowance }),
  }),
})

const figures = z.object({
  FYear: z.string(),
  students: z.int(),
  subjects: z.int(),
  gross: z.number(),
  retained: z.number(),
  payable: z.number(),
  received: z.number(),
  /** Sent by the school and being verified */
  pending: z.number(),
  due: z.number(),
})

const payment = z.object({
  id: z.int(),
  FYear: z.string(),
  paymentFor: z.enum(paymentKinds),
  payableAmount: z.number(),
  state: z.enum(paymentStates),
  receiptNo: z.string(),
  creationDate: z.string(),
})

const packet = z.object({
  packetId: z.int(),
  FYear: z.string(),
  contents: z.string(),
  orderStatus: z.enum(orderStatuses),
  courierName: z.string(),
  consignmentNo: z.string(),
  creationDate: z.string(),
})

const result = z.object({
  eventYearId: z.int(),
  subjectName: z.string(),
  examLevel: z.int(),
  students: z.int(),
  state: z.enum(['none', 'released', 'withheld']),
  /** Why they are withheld */
  reason: z.string(),
})

const signedList = z.object({
  ...olympiad,
  students: z.int(),
  /** An instant; null if the list is open */
  signedAt: z.nullable(z.string()),
  signedBy: z.string(),
  /** How often it was reopened, and the latest reason */
  reopened: z.int(),
  reason: z.string(),
})

export const officeSchoolYears = endpoint('GET /api/office/schools/years', {
  summary:
    "A school's figures by season in rupees, its newest payments and parcels, and the state of its results in a season. Null if the role may not read them.",
  query: z.strictObject({ id: queryId, FYear: seasonLabel }),
  answer: z.object({
    seasons: z.array(z.object({ FYear: z.string(), students: z.int(), subjects: z.int() })),
    money: z.nullable(z.array(figures)),
    payments: z.nullable(z.array(payment)),
    packets: z.array(packet),
    /** The school's lists of the season, signed off or open */
    lists: z.array(signedList),
    results: z.nullable(z.array(result)),
  }),
})

export const officeSchoolHistory = endpoint('GET /api/office/schools/history', {
  summary: 'The history of a school, newest first, 20 at a time.',
  query: z.strictObject({
    id: queryId,
    /** Only lines older than this one */
    before: z.optional(queryId),
  }),
  answer: z.object({ data: z.array(auditLine), more: z.boolean() }),
})

/** A school's invitation link and access code, in the office. Each call writes to the audit log. */

/** The link the officer sees; if it has been replaced since, nothing is shown or printed. */
const shownLinkId = z.string().check(z.maxLength(60))

export const showSchoolCode = endpoint('POST /api/office/schools/code', {
  summary: 'The access code of a school, in groups of four.',
  body: z.strictObject({ id: bodyId, linkId: shownLinkId }),
  answer: z.object({ code: z.string() }),
})

export const renewSchoolLink = endpoint('POST /api/office/schools/renewLink', {
  summary: 'Gives a school a new link and access code; the old ones stop working.',
  body: z.strictObject({
    id: bodyId,
    /** Empty if the school has none yet */
    linkId: shownLinkId,
  }),
  answer: z.object({ linkId: z.string() }),
})

export const revokeSchoolLink = endpoint('POST /api/office/schools/revokeLink', {
  summary: "Revokes a school's link without a new one.",
  body: z.strictObject({ id: bodyId, linkId: shownLinkId }),
})

export const schoolLetter = endpoint('POST /api/office/schools/letter', {
  summary:
    "A school's invitation letter as a PDF: the QR code of its link, and the access code on a part to cut off.",
  body: z.strictObject({
    id: bodyId,
    linkId: shownLinkId,
    language: z._default(z.enum(writtenLanguages), 'en'),
  }),
  answers: 'file',
})

/** The office's notes on a school: calls and notes, with an optional day for a follow-up. */

export const noteKinds = ['call', 'note'] as const
export type NoteKind = (typeof noteKinds)[number]

const fields = {
  kind: z.enum(noteKinds),
  body: text(messages.schoolNoteRequired, 2000),
  /** Empty: no follow-up */
  followUp: z._default(
    z.string().check(z.refine((typed) => typed === '' || isDay(typed), messages.paymentDateInvalid)),
    '',
  ),
}
export const schoolNoteForm = z.strictObject(fields)

const note = z.object({
  id: z.int(),
  version: z.int(),
  kind: z.enum(noteKinds),
  body: z.string(),
  by: z.string(),
  at: z.string(),
  /** Null if it was never changed */
  changedAt: z.nullable(z.string()),
  /** A day; null if there is none */
  followUp: z.nullable(z.string()),
  /** The day has come, and no one has followed up yet */
  due: z.boolean(),
  /** Null until someone has followed up */
  followedUp: z.nullable(z.object({ at: z.string(), by: z.string() })),
  /** Whether the caller wrote it; only then can they change or delete it */
  isAuthor: z.boolean(),
})
export type SchoolNote = z.output<typeof note>

export const schoolNotes = endpoint('GET /api/office/schools/notes', {
  summary: 'Notes on a school, newest first, 50 a page.',
  query: z.strictObject({ id: queryId, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(note), ...pages }),
})

/** Refuses with schools.merged. */
export const addSchoolNote = endpoint('POST /api/office/schools/addNote', {
  summary: 'Adds a note to a school.',
  body: z.strictObject({ ...fields, id: bodyId }),
  answer: z.object({ noteId: z.int() }),
})

const noteVersion = { noteId: bodyId, version: bodyId }

/** Refuses with notes.not_own, changed_meanwhile. */
export const changeSchoolNote = endpoint('POST /api/office/schools/changeNote', {
  summary: 'Changes one’s own note; another day reopens the follow-up.',
  body: z.strictObject({ ...fields, ...noteVersion }),
})

/** Refuses with notes.not_own, changed_meanwhile. */
export const deleteSchoolNote = endpoint('POST /api/office/schools/deleteNote', {
  summary: 'Deletes one’s own note.',
  body: z.strictObject(noteVersion),
})

/** Refuses with notes.no_follow_up, changed_meanwhile. */
export const setFollowedUp = endpoint('POST /api/office/schools/followUp', {
  summary: 'Marks the follow-up of any note as done, or reopens it.',
  body: z.strictObject({ ...noteVersion, done: z.boolean() }),
})

/** What the office does for a school's users; `id` is always the school's. */

export const officeInvite = endpoint('POST /api/office/schools/invite', {
  summary: 'E-mails someone a link to join a school; the first user becomes its coordinator.',
  body: z.strictObject({ ...inviteForm.shape, id: bodyId }),
  answer: z.object({ invitationId: z.int() }),
})

const which = z.strictObject({ id: bodyId, invitationId: bodyId })

export const officeResendInvitation = endpoint('POST /api/office/schools/resendInvitation', {
  summary: 'Resends an invitation with a new link and expiry; the earlier link stops working.',
  body: which,
})

export const officeWithdrawInvitation = endpoint('POST /api/office/schools/withdrawInvitation', {
  summary: 'Withdraws an invitation; its link stops working.',
  body: which,
})

export const officeRemovePerson = endpoint('POST /api/office/schools/removePerson', {
  summary:
    'Removes a user from a school, signs them out and e-mails them the reason. Not the coordinator while there are other users.',
  body: z.strictObject({
    id: bodyId,
    userId: bodyId,
    version: bodyId,
    reason: text(messages.reasonRequired, 500),
  }),
})
