import * as z from 'zod/mini'
import { invitation } from '../accounts/calls-invitations.ts'
import { auditLine } from '../audit-log/calls.ts'
import { endpoint } from '../endpoint.ts'
import { allowance } from '../envelope.ts'
import { queryId, seasonLabel } from '../fields.ts'
import { bounceMark } from '../office/calls-bounces.ts'
import { paymentStates } from '../payments/calls.ts'
import { paymentKinds } from '../payments/rules.ts'

/** One school as the office sees it: its record, its people, its seasons and what has happened. */

/** Another school that belongs to this one's story: the one it was merged into, or one that was merged into it. */
const mergedSchool = z.object({
  id: z.int(),
  schCode: z.string(),
  schName: z.string(),
  /** When the two were merged */
  at: z.string(),
})

export const schoolRecord = z.object({
  id: z.int(),
  version: z.int(),
  schCode: z.string(),
  schName: z.string(),
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
  /** Why and since when it is switched off; empty and null while it is active */
  inactiveReason: z.string(),
  inactiveSince: z.nullable(z.string()),
  /** The school that it was merged into; null while it is one of its own */
  mergedInto: z.nullable(mergedSchool),
  /** Schools that were merged into this one, the newest first */
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
  /** Null for somebody who never came */
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
  askedAt: z.string(),
})
export type SchoolContact = z.output<typeof contact>

const link = z.object({
  id: z.string(),
  /** What the QR code opens */
  address: z.string(),
  createdAt: z.string(),
  /** Its access code can be shown and printed again */
  readable: z.boolean(),
})
export type OfficeSchoolLink = z.output<typeof link>

export const officeSchool = endpoint('GET /api/office/schools/one', {
  summary: 'A school with its people, the contacts of a season and those that wait, and its link.',
  query: z.strictObject({ id: queryId, FYear: seasonLabel }),
  answer: z.object({
    school: schoolRecord,
    staff: z.array(person),
    /** Invited and not there yet */
    invitations: z.array(invitation),
    contacts: z.array(contact),
    link: z.nullable(link),
    /** Notes that are to be followed up by today */
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
  /** Sent by the school, to be verified */
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
  orderStatus: z.string(),
  courierName: z.string(),
  consignmentNo: z.string(),
  creationDate: z.string(),
})

const result = z.object({
  eventYearId: z.int(),
  subjectName: z.string(),
  examLevel: z.int(),
  students: z.int(),
  state: z.enum(['none', 'released', 'held']),
  /** Why they are held back */
  reason: z.string(),
})

const signedList = z.object({
  eventLetter: z.string(),
  subjectName: z.string(),
  students: z.int(),
  /** An instant; null while the list is open */
  signedAt: z.nullable(z.string()),
  signedBy: z.string(),
  /** How often it was opened again, and why the last time */
  reopened: z.int(),
  reason: z.string(),
})

export const officeSchoolYears = endpoint('GET /api/office/schools/years', {
  summary:
    'Figures of a school season by season in rupees, its newest payments and packets, and where its results of a season stand. Null where the role may not read it.',
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
  summary: 'What has happened at a school and to it, the newest first, 20 at a time.',
  query: z.strictObject({
    id: queryId,
    /** Only lines before this one */
    before: z.optional(queryId),
  }),
  answer: z.object({ data: z.array(auditLine), more: z.boolean() }),
})
