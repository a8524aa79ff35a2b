import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { getStudentDetails, type StudentRow } from './calls.ts'

/** What a student's row is, in one word: lists filter by it, badges say it. */
export const studentStates = ['unpaid', 'locked', 'paid', 'deleted'] as const
export type StudentState = (typeof studentStates)[number]

/** Deleted, paid, being verified (`locked`) or unpaid: where the registration fee stands, as the payments page has it. */
export function studentState(
  row: Pick<StudentRow, 'status' | 'paymentStatus' | 'registrationSent'>,
): StudentState {
  if (!row.status) return 'deleted'
  if (row.paymentStatus) return 'paid'
  return row.registrationSent ? 'locked' : 'unpaid'
}

/** POST, so that children's names stand in no address and no log. */
export const exportStudents = endpoint('POST /api/ManageStudent/ExportStudents', {
  summary: 'The students that the filters leave, as a spreadsheet.',
  body: z.extend(getStudentDetails.body, {
    format: z.enum(['xlsx', 'csv']),
    state: z.optional(z.enum(studentStates)),
    /** Of these, only the ones that are chosen */
    ids: z.optional(z.array(bodyId).check(z.maxLength(20_000))),
  }),
  answers: 'file',
})
