import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'

/** Assignment of office work to officers. A courtesy, not a lock: anyone with the permission can still decide. */

const assignableKinds = ['payment', 'application', 'question', 'bank-line'] as const
export type AssignableKind = (typeof assignableKinds)[number]

/** The officer something is assigned to; null: no one. */
export const assignee = z.nullable(z.object({ staffId: z.int(), name: z.string() }))
export type Assignee = z.output<typeof assignee>

/** Filter of lists: assigned to the caller, to no one, or to an officer by id; left out: all. */
export const assignedFilter = z.optional(z.string().check(z.regex(/^(?:me|none|\d{1,9})$/)))

export const assignees = endpoint('GET /api/office/assignments/staff', {
  summary: 'The officers who may decide on a kind, by name, and others with something assigned.',
  query: z.strictObject({ kind: z.enum(assignableKinds) }),
  answer: z.object({
    /** `decides`: whether work can be assigned to them */
    data: z.array(z.object({ staffId: z.int(), name: z.string(), decides: z.boolean() })),
  }),
})

/** Most items assigned at once */
export const maxAssigned = 500

/** Refuses with assignments.cannot_decide, payments.decided, application.decided, questions.reviewed, bank.decided. */
export const assign = endpoint('POST /api/office/assignments/assign', {
  summary: 'Assigns pending items to an officer who may decide on them, or to no one.',
  body: z.strictObject({
    kind: z.enum(assignableKinds),
    ids: z.array(bodyId).check(z.minLength(1), z.maxLength(maxAssigned)),
    /** If left out, to no one */
    staffId: z.optional(bodyId),
    /** To undo an assignment: only the pending items that this officer has, null: no one, and no error for others */
    from: z.optional(z.nullable(bodyId)),
  }),
  answer: z.object({
    /** The previous assignees of the items that changed; null: no one */
    before: z.array(z.object({ staffId: z.nullable(z.int()), ids: z.array(z.int()) })),
  }),
})

/** POST, because it stores what the caller has open, for less than a minute. */
export const reportViewing = endpoint('POST /api/office/assignments/look', {
  summary:
    'Reports what the caller has open, and returns the names of other deciding officers who have any of it open, too.',
  body: z.strictObject({
    kind: z.enum(assignableKinds),
    /** More than one if a page shows several below each other */
    ids: z.array(bodyId).check(z.minLength(1), z.maxLength(50)),
  }),
  answer: z.object({ others: z.array(z.string()) }),
})
