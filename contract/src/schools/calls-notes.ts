import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { isDay } from '../season.ts'

/** What the office notes on a school: calls and notes, with a day on which somebody follows up. */

export const noteKinds = ['call', 'note'] as const
export type NoteKind = (typeof noteKinds)[number]

const fields = {
  kind: z.enum(noteKinds),
  body: text(messages.schoolNoteRequired, 2000),
  /** Empty: nothing to follow up */
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
  /** Null while nobody has changed it */
  changedAt: z.nullable(z.string()),
  /** A day; null without one */
  followUp: z.nullable(z.string()),
  /** The day has come, and nobody has followed up */
  due: z.boolean(),
  /** Null until somebody has followed up */
  followedUp: z.nullable(z.object({ at: z.string(), by: z.string() })),
  /** Only who wrote a note changes or deletes it */
  own: z.boolean(),
})
export type SchoolNote = z.output<typeof note>

export const schoolNotes = endpoint('GET /api/office/schools/notes', {
  summary: 'Notes on a school, the newest first, 50 to a page.',
  query: z.strictObject({ id: queryId, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(note),
    total: z.int(),
    pageSize: z.int(),
  }),
})

/** Refusals: schools.merged. */
export const addSchoolNote = endpoint('POST /api/office/schools/addNote', {
  summary: 'Adds a note to a school.',
  body: z.strictObject({ ...fields, id: bodyId }),
  answer: z.object({ noteId: z.int() }),
})

const one = { noteId: bodyId, version: bodyId }

/** Refusals: notes.not_own, changed_meanwhile. */
export const changeSchoolNote = endpoint('POST /api/office/schools/changeNote', {
  summary: 'Changes a note of one’s own; another day to follow up opens the follow-up again.',
  body: z.strictObject({ ...fields, ...one }),
})

/** Refusals: notes.not_own, changed_meanwhile. */
export const deleteSchoolNote = endpoint('POST /api/office/schools/deleteNote', {
  summary: 'Deletes a note of one’s own.',
  body: z.strictObject(one),
})

/** Refusals: notes.no_follow_up, changed_meanwhile. */
export const setFollowedUp = endpoint('POST /api/office/schools/followUp', {
  summary: 'Marks the follow-up of a note as done, whoever wrote it, or opens it again.',
  body: z.strictObject({ ...one, done: z.boolean() }),
})
