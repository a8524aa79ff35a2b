import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { seasonLabel } from '../fields.ts'
import { catalogueMessages } from './messages.ts'
import { day, examModes, nameHi, optionalDay } from './schemas.ts'

/** An event that comes into a season by hand: a subject that it did not have, a new subject, or a further level. */

const subject = z.object({
  eventLetter: z.string(),
  subjectName: z.string(),
  littleStar: z.boolean(),
  /** Levels that the season has of it */
  levels: z.array(z.int()),
  /** By level, the newest earlier season whose sections, rules and prices are taken over */
  before: z.array(z.object({ examLevel: z.int(), FYear: z.string() })),
})
export type SubjectToAdd = z.output<typeof subject>

export const subjectsToAdd = endpoint('GET /api/office/catalogue/subjects', {
  summary:
    'All subjects with the levels that a season has of them, and where an event would be taken over from.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(subject) }),
})

export const addedEvent = {
  eventLetter: z.string().check(z.regex(/^[A-Z]$/, catalogueMessages.letterRequired)),
  /** Of a new subject; else left aside */
  subjectName: z.string().check(z.maxLength(60)),
  subjectNameHi: nameHi(60),
  littleStar: z.boolean(),
  examLevel: z.int().check(z.minimum(1), z.maximum(3)),
  examMode: z.enum(examModes),
  closesOn: day,
  firstDate: optionalDay,
  secondDate: optionalDay,
  /** Where no earlier event is taken over: the marks of its only section */
  maximumMarks: z
    .int(catalogueMessages.sectionMaximum)
    .check(z.minimum(1, catalogueMessages.sectionMaximum), z.maximum(1000, catalogueMessages.sectionMaximum)),
}

export const addEvent = endpoint('POST /api/office/catalogue/addEvent', {
  summary: 'Puts an event into a season, of a subject that is there or of a new one.',
  body: z.strictObject({ FYear: seasonLabel, ...addedEvent }),
  answer: z.object({ eventYearId: z.int() }),
})
