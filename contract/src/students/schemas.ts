import * as z from 'zod/mini'
import { isClassId, sections } from '../classes.ts'
import type { Issue } from '../endpoint.ts'
import { bodyId, normaliseMobile, numeric, optionalEmail, seasonLabel, tidy } from '../fields.ts'
import { messages } from '../messages.ts'
import { hasVisibleLetter } from '../names.ts'
import { sentences } from '../sentences.ts'

const classId = z.pipe(
  numeric(messages.classRequired),
  z.int(messages.classRequired).check(z.refine(isClassId, messages.classRequired)),
)

const section = z.pipe(
  z.pipe(
    z.string(messages.sectionRequired),
    z.transform((typed: string) => tidy(typed).toUpperCase()),
  ),
  z.string().check(
    z.minLength(1, messages.sectionRequired),
    z.refine((typed) => typed === '' || sections.includes(typed), sentences.sectionUnknown),
  ),
)

const rollno = z.pipe(
  numeric(messages.rollNoRequired),
  z
    .int(messages.rollNoRequired)
    .check(z.minimum(1, messages.rollNoRequired), z.maximum(999_999, sentences.rollMost)),
)

// Control characters, line breaks and direction marks; joiners are allowed, because Indian scripts need them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/
// A dash alone stands for “none”.
const formula = /^\s*(?:[=+@＝＋＠﹦﹢﹫]|[-－−‐﹣].*[^\s\-－−‐﹣–—])/
const plainName = z.string().check(
  z.refine((name: string) => !unprintable.test(name), sentences.nameOneLine),
  z.refine((name: string) => !formula.test(name), sentences.nameBegins),
)

function tidyName(required: string) {
  return z.pipe(
    z.transform(tidy),
    z.string().check(
      z.refine((name: string) => required === '' || hasVisibleLetter(name), required),
      z.maxLength(100, 'At most 100 characters.'),
    ),
  )
}
/** A student's name, tidied. */
export const studentName = z.pipe(
  z.string(messages.studentNameRequired),
  z.pipe(plainName, tidyName(messages.studentNameRequired)),
)
/** A parent's name, which may be empty. */
export const parentsName = z.pipe(plainName, tidyName(''))
const parentName = z._default(parentsName, '')

const parentMobileNo = z._default(
  z.pipe(
    z.pipe(z.string(), z.transform(normaliseMobile)),
    z.string().check(z.regex(/^(?:\d{10,12})?$/, 'Enter valid mobile no.')),
  ),
  '',
)

/** Names or letters separated by commas, as a list without duplicates. */
const joined = z.pipe(
  z.string().check(z.maxLength(2_000, 'At most 2000 characters.')),
  z.transform((text: string) => [
    ...new Set(
      text
        .split(',')
        .map(tidy)
        .filter((name) => name !== ''),
    ),
  ]),
)
const subjectName = z.pipe(
  z.pipe(z.string(messages.subjectRequired), joined),
  z
    .array(z.string())
    .check(z.minLength(1, messages.subjectRequired), z.maxLength(50, sentences.subjectsMost)),
)
const wantedFor = z.pipe(z._default(z.string(), ''), joined)

/** The fields of a student a person fills in; dialog, import and call all use this schema. */
const studentShape = {
  classId,
  section,
  rollno,
  studentName,
  parentName,
  parentEmailId: optionalEmail('Enter valid E-mail.'),
  parentMobileNo,
  subjectName,
  cb: wantedFor,
  pyqp: wantedFor,
  geneX: wantedFor,
  tb: wantedFor,
  wb: wantedFor,
}

/** A student as filled in, for a form's resolver and for rows of an import; lists of subjects become arrays. */
export const studentFields = z.object(studentShape)
export type StudentFieldsInput = z.input<typeof studentFields>
export type StudentFields = z.output<typeof studentFields>

const placeFields = z.object({ classId, section, rollno })
export type StudentPlace = z.output<typeof placeFields>

/** Parses a student's fields; returns all errors by field if there are any. */
export function readStudentFields(input: StudentFieldsInput): { fields?: StudentFields; issues: Issue[] } {
  const parsed = z.safeParse(studentFields, input)
  if (parsed.success) return { fields: parsed.data, issues: [] }
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: String(path[0] ?? ''), message }))
  return { issues }
}

/** Parses class, section and roll no; undefined if one of them is invalid. */
export function readPlace(input: StudentFieldsInput): StudentPlace | undefined {
  const read = z.safeParse(placeFields, input)
  return read.success ? read.data : undefined
}

const amount = z.optional(z.number())

/** The body of SaveStudentDetails (specification, section 3, «Student entry»). */
export const studentEntry = z.strictObject({
  /** 0 or absent for a new student */
  id: z._default(bodyId, 0),
  /** Version of the edited row; required unless `id` is 0 */
  version: z.optional(bodyId),
  /** The season; by default the current one */
  FYear: z.optional(seasonLabel),
  ...studentShape,
  bookRegId: z.optional(z.nullable(bodyId)),
  schId: z.optional(bodyId),
  schCode: z.optional(z.string()),
  currency: z.optional(z.literal('INR')),
  // The amounts shown in the form, in rupees: compared with the computed ones, never stored.
  regAmount: amount,
  bookAmount: amount,
  school_Expenses: amount,
  book_school_Expenses: amount,
  // The specification's client sends the chosen subjects again here; subjectName is used.
  selectedItems: z.optional(z.array(z.unknown()).check(z.maxLength(100))),
})
export type StudentEntry = z.output<typeof studentEntry>
