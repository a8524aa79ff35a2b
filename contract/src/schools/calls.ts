import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  bodyId,
  email,
  normaliseMobile,
  numeric,
  optionalEmail,
  queryId,
  schoolName,
  seasonLabel,
  text,
  tidy,
} from '../fields.ts'
import { messages } from '../messages.ts'
import { bounceMark } from '../office/calls-bounces.ts'

/** A school's record (specification, sections 2.14, 3, 7): the school reads it, the foundation edits it. */
const school = z.object({
  ...schoolName,
  schEmail: z.string(),
  schAddress: z.string(),
  /** Empty if there is none; so are group and fax */
  schAffiliationNo: z.string(),
  schGroupId: z.string(),
  cityName: z.string(),
  districtName: z.string(),
  stateName: z.string(),
  countryName: z.string(),
  landLineNo: z.string(),
  schFaxNo: z.string(),
  schWebSite: z.string(),
  schPhoneNo: z.string(),
  whatsAppNo: z.string(),
})
export type School = z.output<typeof school>

export const getSchool = endpoint('GET /api/ManageSchool/GetSchool', {
  summary: "The details of the caller's school, as a list of one.",
  query: z.strictObject({ schCode: z.optional(z.string().check(z.maxLength(20))) }),
  answer: z.object({ data: z.array(school) }),
})

/** Contact persons of a school, whom the foundation calls and e-mails (specification, sections 2.14, 5, 7). */

const namedItem = z.object({ id: z.int(), name: z.string() })

export const getDesignations = endpoint('GET /api/ManageSchool/Get_Designation', {
  summary: 'Designations of contact persons.',
  answer: z.object({ data: z.array(namedItem) }),
})

export const getTitles = endpoint('GET /api/ManageSchool/Get_Title', {
  summary: 'Titles of contact persons.',
  answer: z.object({ data: z.array(namedItem) }),
})

const contact = z.object({
  id: z.int(),
  version: z.int(),
  desgId: z.int(),
  designation: z.string(),
  schId: z.int(),
  fyear: z.string(),
  titleId: z.int(),
  title: z.string(),
  // The specification has both names for it
  name: z.string(),
  contactName: z.string(),
  email: z.string(),
  contactEmail: z.string(),
  bounced: bounceMark,
  altEmail: z.string(),
  mobile: z.string(),
  altmobile: z.string(),
  /** Active */
  status: z.boolean(),
  /** The office has confirmed it; a new contact is unconfirmed */
  confirmed: z.boolean(),
})
export type Contact = z.output<typeof contact>

export const getContacts = endpoint('GET /api/ManageSchool/Get_ContactPerson', {
  summary: "A school's contacts of a season: active (true), inactive (false) or all (empty).",
  query: z.strictObject({
    FYear: seasonLabel,
    schId: z.optional(queryId),
    status: z._default(z.enum(['true', 'false', '']), ''),
  }),
  answer: z.object({ data: z.array(contact) }),
})

const mobileNumber = (pattern: RegExp) =>
  z.pipe(
    z.pipe(
      z.string(messages.contactMobileInvalid),
      z.transform((typed: string) => normaliseMobile(tidy(typed))),
    ),
    z.string().check(z.regex(pattern, messages.contactMobileInvalid)),
  )

const chosenId = (required: string) =>
  z.pipe(numeric(required), z.int(required).check(z.minimum(1, required)))

/** The fields of the contact dialog. */
export const contactForm = z.strictObject({
  desgId: chosenId(messages.designationRequired),
  titleId: chosenId(messages.titleRequired),
  name: text(messages.contactNameRequired, 100),
  email: email(messages.contactEmailRequired, messages.contactEmailInvalid),
  altEmail: optionalEmail(messages.contactEmailInvalid),
  mobile: mobileNumber(/^[0-9]{10,12}$/),
  altmobile: z._default(mobileNumber(/^(?:[0-9]{10,12})?$/), ''),
})

export const saveContact = endpoint('POST /api/ManageSchool/Save_ContactPerson', {
  summary: 'Changes a contact, or (id 0) asks the office for a new one.',
  body: z.strictObject({
    ...contactForm.shape,
    id: z._default(bodyId, 0),
    schId: z.optional(bodyId),
    fyear: seasonLabel,
    /** Version of the contact when the dialog opened; if left out, any version */
    version: z.optional(bodyId),
  }),
  answer: z.object({ id: z.int() }),
})

export const setContactStatus = endpoint('POST /api/ManageSchool/Set_ContactStatus', {
  summary: 'Activates or deactivates a contact.',
  body: z.strictObject({ id: bodyId, status: z.boolean() }),
})
