import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, olympiad, queryId, seasonLabel, studentInClass, text } from '../fields.ts'
import { messages } from '../messages.ts'

/**
 * Sign-off: the coordinator closes the school's list of an event. Its students can no longer be entered, changed or
 * deleted; paying, and corrections by families, remain possible. Reopening a list is recorded.
 */

/** Checks shown before a list is signed off; none of them stops the coordinator. */
export const checkKinds = [
  'unpaid',
  'waiting',
  'mobile',
  'twins',
  'lonely',
  'date',
  'contact',
  'coordinator',
] as const
export type CheckKind = (typeof checkKinds)[number]

const listedStudent = z.object({ ...studentInClass })
const checkedStudent = z.extend(listedStudent, {
  id: z.int(),
  classId: z.int(),
  /** For two students who look the same: the other one */
  other: z.nullable(listedStudent),
})
export type ListedStudent = z.output<typeof listedStudent>
export type CheckedStudent = z.output<typeof checkedStudent>

const check = z.object({
  kind: z.enum(checkKinds),
  /** Number of students concerned; 0 if it is about the school */
  count: z.int(),
  /** The first of them, at most fifty */
  students: z.array(checkedStudent),
})
export type SignOffCheck = z.output<typeof check>

/** Why a list can't be signed off or reopened now; codes of errors.ts. */
const signOffReasons = [
  'signoff.not_coordinator',
  'signoff.no_students',
  'enrolment.season_closed',
  'enrolment.closed',
  'access.acting',
] as const
export type SignOffReason = (typeof signOffReasons)[number]
const allowed = z.union([z.literal(true), z.enum(signOffReasons)])

const line = z.object({
  id: z.int(),
  students: z.int(),
  /** What was missing at that time */
  missing: z.array(z.object({ kind: z.enum(checkKinds), count: z.int() })),
  signedBy: z.string(),
  /** Instants */
  signedAt: z.string(),
  reopenedBy: z.string(),
  reopenedAt: z.nullable(z.string()),
  reason: z.string(),
})
export type SignOffLine = z.output<typeof line>

const list = z.object({
  /** The school's participation */
  eventManagementId: z.int(),
  ...olympiad,
  totalStudent: z.int(),
  paidStudent: z.int(),
  /** Last day (IST) for entries */
  closesOn: z.string(),
  signedOff: z.boolean(),
  canSign: allowed,
  canReopen: allowed,
  /** What is missing now; empty if nothing is, and for a list that is signed off */
  checks: z.array(check),
  /** Newest first; the first one is in force if the list is signed off */
  history: z.array(line),
})
export type SignOffList = z.output<typeof list>

export const getSignOffs = endpoint('GET /api/ManageStudent/GetSignOffs', {
  summary: "The school's lists of a season by event: what is missing, whether signed off, and the history.",
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({
    /** The coordinator's name; empty if there is none */
    coordinator: z.string(),
    data: z.array(list),
  }),
})

/**
 * Refuses the whole call with signoff.not_coordinator, signoff.name_differs (at `name`), not_found; a single list with
 * signoff.signed, signoff.count_differs, signoff.no_students, enrolment.season_closed.
 */
export const signOffLists = endpoint('POST /api/ManageStudent/SignOffLists', {
  summary:
    "Signs off the school's lists of several events; the coordinator types their name once to confirm.",
  body: z.strictObject({
    name: text(messages.nameRequired),
    lists: z
      .array(
        z.strictObject({
          eventManagementId: bodyId,
          /** The number of students shown; if it has changed, the list is not signed off */
          students: z.int().check(z.minimum(0), z.maximum(1_000_000)),
        }),
      )
      .check(z.minLength(1), z.maxLength(100)),
  }),
  answer: z.object({
    /** By `eventManagementId` */
    done: z.array(z.object({ id: z.int() })),
    refused: z.array(z.object({ id: z.int(), message: z.string() })),
  }),
})

/** Refuses with signoff.not_coordinator, signoff.not_signed, enrolment.closed, enrolment.season_closed, not_found. */
export const reopenList = endpoint('POST /api/ManageStudent/ReopenList', {
  summary: 'Reopens a signed-off list; the reason is recorded.',
  body: z.strictObject({ eventManagementId: bodyId, reason: text(messages.reasonRequired, 500) }),
})
