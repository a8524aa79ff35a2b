import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { exportStudents } from '../students/calls-export.ts'

/** What a school hands to its families: the link and the access code, on halves that are cut apart. */

/** As many as one file holds, a hundred pages; a larger school takes them class by class. */
export const mostSlips = 600

export const familySlips = endpoint('POST /api/ManageStudent/FamilySlips', {
  summary:
    'Access slips as a PDF, one for each family among the active students that the filters leave: the QR code of its link on one half, the access code on the other.',
  body: z.omit(exportStudents.body, { format: true }),
  answers: 'file',
})

export const renewFamilyLink = endpoint('POST /api/ManageStudent/RenewFamilyLink', {
  summary:
    "Gives a student's family a new link and a new access code; the old ones no longer open anything, and who is on the page with them is signed out.",
  body: z.strictObject({ studentId: bodyId }),
  answer: z.object({
    /** How many children of the family the new link holds */
    children: z.int(),
  }),
})
