import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { resultId, searchResults } from './calls.ts'

const ofResult = z.strictObject({ resultId, language: z._default(z.enum(writtenLanguages), 'en') })

/** POST, because the first download gives the certificate its number. */
export const schoolCertificate = endpoint('POST /api/ManageResult/Certificate', {
  summary: "The certificate of a released result of the caller's school, as a PDF.",
  body: ofResult,
  answers: 'file',
})

/** Most certificates in one file; a longer list is downloaded class by class. */
export const maxCertificates = 150

/** POST, for the same reason. */
export const schoolCertificates = endpoint('POST /api/ManageResult/Certificates', {
  summary: 'The certificates of the released results that match the filters, in one PDF for printing.',
  body: z.extend(searchResults.body, { language: z._default(z.enum(writtenLanguages), 'en') }),
  answers: 'file',
})

/** POST, for the same reason. `part` 1 is the first 150 of them, 2 the next. Refuses with dispatch.no_certificates. */
export const packetCertificates = endpoint('POST /api/office/results/packetCertificates', {
  summary: 'The certificates in a parcel of awards that are still correct, in one PDF for printing.',
  body: z.strictObject({
    packetId: bodyId,
    part: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
    language: z._default(z.enum(writtenLanguages), 'en'),
  }),
  answers: 'file',
})

export const familyCertificate = endpoint('POST /api/ManageResult/FamilyCertificate', {
  summary: "The certificate of a released result of the family's child, as a PDF.",
  body: ofResult,
  answers: 'file',
})

export const renewResultLink = endpoint('POST /api/ManageResult/RenewLink', {
  summary: "Replaces the address of a result's public page with a new one.",
  body: z.strictObject({ resultId }),
  answer: z.object({
    /** The new page: a path of this portal. */
    resultLink: z.string(),
  }),
})
