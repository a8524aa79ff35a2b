import * as z from 'zod/mini'
import { email, latinDigits, normaliseMobile, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { parentsName, studentName } from '../students/schemas.ts'

/** The id of a family's link as typed or scanned; the server checks that it exists. */
export const groupId = z.string().check(z.maxLength(200))

/** The access code as typed; case, spaces and dashes are ignored. */
export const familyCode = z.pipe(text(messages.accessCodeRequired, 40), z.transform(latinDigits))

/** Exactly ten digits, after removing separators and the country code with or without its plus. */
const mobileNo = z.pipe(
  z.pipe(
    z.string(messages.familyMobileRequired),
    z.transform((typed: string) => normaliseMobile(typed).replace(/^91(?=[0-9]{10}$)/, '')),
  ),
  z.string().check(
    z.minLength(1, messages.familyMobileRequired),
    z.refine((typed) => typed === '' || /^[0-9]{10}$/.test(typed), messages.familyMobileInvalid),
  ),
)

/** The fields a family fills in (specification, section 5); the parents' name may be empty. */
export const familyFields = z.object({
  studentName,
  parents: z.optional(parentsName),
  mobileNo,
  email: email(messages.familyEmailInvalid, messages.familyEmailInvalid),
})
export type FamilyFields = z.output<typeof familyFields>
