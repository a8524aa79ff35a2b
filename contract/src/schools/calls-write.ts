import * as z from 'zod/mini'
import { checkPinCode, emailId, optionalPinCode, schoolDetailForm } from '../accounts/schemas.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, normaliseMobile, optionalEmail, optionalText, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { likelySchool, schoolCode } from './calls-applications.ts'

/** What the office changes in a school: its details, its status, its users' accounts and its contacts. */

/** A website address: https or empty, because pages link to it. */
const website = z.pipe(
  optionalText(200),
  z.string().check(z.regex(/^(https:\/\/[^\s/<>"']+[^\s<>"']*)?$/i, messages.websiteInvalid)),
)
const whatsapp = z.pipe(
  z.pipe(optionalText(30), z.transform(normaliseMobile)),
  z.string().check(z.regex(/^([0-9]{10,12})?$/, messages.whatsappInvalid)),
)

/** The school detail form, with fields only the office edits. */
const fields = {
  ...schoolDetailForm.shape,
  schEmail: optionalEmail(messages.emailInvalid),
  schGroupId: optionalText(100),
  landLineNo: optionalText(30),
  schFaxNo: optionalText(30),
  schWebSite: website,
  whatsAppNo: whatsapp,
}
export const schoolRecordForm = z.strictObject(fields).check(checkPinCode)
export type SchoolRecordFields = z.output<typeof schoolRecordForm>

export const saveSchoolRecord = endpoint('POST /api/office/schools/save', {
  summary: "Changes a school's details. Its code stays, because exam roll nos contain it.",
  body: z.strictObject({ ...fields, id: bodyId, version: bodyId }).check(checkPinCode),
})

export const newSchoolForm = z
  .strictObject({
    ...fields,
    /** If empty, the proposed one */
    schCode: z.pipe(
      z.pipe(
        optionalText(20),
        z.transform((typed: string) => typed.toUpperCase()),
      ),
      z.union([z.literal(''), schoolCode]),
    ),
  })
  .check(checkPinCode)

export const likelySchools = endpoint('POST /api/office/schools/likely', {
  summary: 'The code a new school of this name would get, and registered schools similar to it.',
  body: z.strictObject({
    schName: optionalText(200),
    pinCode: optionalPinCode,
    mobile: optionalText(30),
    udiseCode: optionalText(20),
    affiliationNo: optionalText(40),
  }),
  answer: z.object({ proposedCode: z.string(), likely: z.array(likelySchool) }),
})

export const createSchool = endpoint('POST /api/office/schools/create', {
  summary: 'Creates a school that has not applied; refused until likely duplicates have been compared.',
  body: z
    .strictObject({
      ...newSchoolForm.shape,
      /** Whether the officer has looked at likely duplicates */
      compared: z._default(z.boolean(), false),
    })
    .check(checkPinCode),
  answer: z.object({ schId: z.int(), schCode: z.string() }),
})

const reason = text(messages.reasonRequired, 500)

export const setSchoolStatus = endpoint('POST /api/office/schools/status', {
  summary: "Deactivates a school, so that its users can't sign in, or reactivates it.",
  body: z.strictObject({ id: bodyId, version: bodyId, active: z.boolean(), reason }),
})

/** As many as one page of the register shows. */
export const maxStatusChanges = 50

export const setSchoolStatuses = endpoint('POST /api/office/schools/statusMany', {
  summary:
    'Deactivates or reactivates several schools, each on its own, with one reason; skips and reports those changed since.',
  body: z.strictObject({
    schools: z
      .array(z.strictObject({ id: bodyId, version: bodyId }))
      .check(z.minLength(1), z.maxLength(maxStatusChanges)),
    active: z.boolean(),
    reason,
  }),
  answer: z.object({
    done: z.array(z.object({ id: z.int() })),
    /** Schools that were refused, and why */
    refused: z.array(z.object({ id: z.int(), message: z.string() })),
  }),
})

export const makeCoordinator = endpoint('POST /api/office/schools/coordinator', {
  summary:
    "Makes a user the school's coordinator, with a reason; replaces the previous one, and both are notified.",
  body: z.strictObject({ id: bodyId, userId: bodyId, reason }),
})

export const setSchoolAccount = endpoint('POST /api/office/schools/account', {
  summary: "Disables or enables the account of a school's user, who is e-mailed the reason.",
  body: z.strictObject({ id: bodyId, userId: bodyId, version: bodyId, enabled: z.boolean(), reason }),
})

export const confirmContact = endpoint('POST /api/office/schools/confirmContact', {
  summary: 'Confirms a contact a school has asked for.',
  body: z.strictObject({ id: bodyId, contactId: bodyId, version: bodyId }),
})

/** Refuses with changed_meanwhile if an e-mail has bounced since. */
export const addressWorks = endpoint('POST /api/office/schools/addressWorks', {
  summary: 'Removes the bounce mark from an address of a school or its users.',
  body: z.strictObject({
    id: bodyId,
    email: emailId,
    /** Since when it bounces, as it was shown */
    at: z.iso.datetime(),
  }),
})
