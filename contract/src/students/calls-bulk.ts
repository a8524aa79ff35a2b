import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, seasonLabel } from '../fields.ts'

const names = z.optional(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(50)))

/** Students that one call may change. */
export const mostChanged = 500

/** What a student is to have from now on; what is not named stays. Lists are of letters or names. */
const change = z.strictObject({
  id: bodyId,
  /** Of the row that was seen */
  version: bodyId,
  /** False deletes, true restores; what else is named with it is left aside */
  active: z.optional(z.boolean()),
  section: z.optional(z.string().check(z.maxLength(20))),
  subjectName: names,
  cb: names,
  pyqp: names,
  geneX: names,
  tb: names,
  wb: names,
})
export type StudentChange = z.output<typeof change>

/**
 * Each student is changed as by the dialog, with its guards, or refused by itself: paid, under verification, closed,
 * changed meanwhile, roll no taken, subject not offered. Books of a subject that is left out go with it. `before` is
 * what takes the change back, sent to this same call.
 */
export const changeStudents = endpoint('POST /api/ManageStudent/ChangeStudents', {
  summary:
    'Changes section, subjects or books of several students, deletes or restores them; each is changed or refused by itself.',
  body: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(bodyId),
    students: z.array(change).check(z.minLength(1), z.maxLength(mostChanged)),
  }),
  answer: z.object({
    changed: z.int(),
    refused: z.array(z.object({ id: z.int(), studentName: z.string(), message: z.string() })),
    before: z.array(change),
  }),
})
