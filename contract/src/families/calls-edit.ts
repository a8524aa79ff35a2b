import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bareMobile, bodyId, email, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'
import { parentsName, studentName } from '../students/schemas.ts'
import { groupId } from './calls.ts'
import { familyPaths } from './paths.ts'

/** Exactly ten digits, without what people write around them, the country's code with or without its sign included. */
const mobileNo = z.pipe(
  z.pipe(
    z.string(messages.familyMobileRequired),
    z.transform((typed: string) => bareMobile(typed).replace(/^91(?=[0-9]{10}$)/, '')),
  ),
  z.string().check(
    z.minLength(1, messages.familyMobileRequired),
    z.refine((typed) => typed === '' || /^[0-9]{10}$/.test(typed), messages.familyMobileInvalid),
  ),
)

/** What a family fills in (specification, section 5); the parents may be left empty. */
export const familyFields = z.object({
  studentName,
  parents: z.optional(parentsName),
  mobileNo,
  email: email(messages.familyEmailInvalid, messages.familyEmailInvalid),
})
export type FamilyFields = z.output<typeof familyFields>

export const editFamilyStudent = endpoint({
  ...familyPaths.edit,
  summary: "Changes a child's name, parents, mobile number and e-mail.",
  body: z.strictObject({
    // Compared with the session and the row, never written
    groupId,
    fYear: seasonLabel,
    classId: bodyId,
    individualRegId: bodyId,
    ...familyFields.shape,
    /** Of the row that was edited: a save on top of somebody else's is refused */
    version: z.optional(bodyId),
    /** For the mail that tells of the change */
    language: z.optional(z.enum(['en', 'hi'])),
  }),
})
