import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'

/** The link of a school's invitation and its access code, in the office. Each call leaves a line in the audit trail. */

/** The link that the officer sees: of one that has been replaced meanwhile nothing is shown or printed. */
const shown = z.string().check(z.maxLength(60))

export const showSchoolCode = endpoint('POST /api/office/schools/code', {
  summary: 'The access code of a school, in groups of four.',
  body: z.strictObject({ id: bodyId, linkId: shown }),
  answer: z.object({ code: z.string() }),
})

export const renewSchoolLink = endpoint('POST /api/office/schools/renewLink', {
  summary: 'Gives a school a new link and a new access code; the old ones no longer open anything.',
  body: z.strictObject({
    id: bodyId,
    /** Empty where the school has none yet */
    linkId: shown,
  }),
  answer: z.object({ linkId: z.string() }),
})

export const revokeSchoolLink = endpoint('POST /api/office/schools/revokeLink', {
  summary: 'Takes the link of a school back without a new one.',
  body: z.strictObject({ id: bodyId, linkId: shown }),
})

export const schoolLetter = endpoint('POST /api/office/schools/letter', {
  summary:
    "A school's letter of invitation as a PDF: the QR code of its link, and the access code on a part to cut off.",
  body: z.strictObject({ id: bodyId, linkId: shown, language: z._default(z.enum(['en', 'hi']), 'en') }),
  answers: 'file',
})
