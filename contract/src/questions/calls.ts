import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'

/** Questions that teachers send in for a season's olympiads; the foundation accepts or declines each. */

/** Chapter01 to Chapter500 (specification, section 9). */
export const chapters: readonly string[] = Array.from(
  { length: 500 },
  (_, index) => `Chapter${String(index + 1).padStart(2, '0')}`,
)
const knownChapters = new Set(chapters)

export const questionStates = ['sent', 'accepted', 'declined'] as const

/** The four options in their order; `answer` is the number of the right one, 1 to 4. */
export const optionNames = ['option1', 'option2', 'option3', 'option4'] as const
type Options = Record<(typeof optionNames)[number], string>

const option = text(messages.optionRequired, 300)

const fields = {
  classId: z.int(messages.classRequired).check(z.refine(isClassId, messages.classRequired)),
  eventLetter: z.string(messages.subjectRequired).check(z.regex(/^[A-Z]$/, messages.subjectRequired)),
  chapter: z
    .string(messages.chapterRequired)
    .check(z.refine((chapter) => knownChapters.has(chapter), messages.chapterRequired)),
  question: text(messages.questionRequired, 2000),
  option1: option,
  option2: option,
  option3: option,
  option4: option,
  answer: z
    .int(messages.answerRequired)
    .check(z.minimum(1, messages.answerRequired), z.maximum(4, messages.answerRequired)),
}

/** The first option that says the same as one before it, whatever the case; undefined when all four differ; empty ones are another matter. */
export function optionAlike(options: Options): (typeof optionNames)[number] | undefined {
  const folded = optionNames.map((name) => options[name].toLowerCase())
  return optionNames.find((_, index) => folded[index] !== '' && folded.indexOf(folded[index] ?? '') < index)
}

/** The fields of the page Teacher question. */
export const questionForm = z.strictObject(fields)

export const saveTeacherQuestion = endpoint('POST /api/ManageSchool/Save_TeacherQuestion', {
  summary: 'Sends a question of a teacher to the foundation.',
  body: z.strictObject({ ...fields, FYear: seasonLabel, schId: z.optional(bodyId) }),
  answer: z.object({ id: z.int() }),
})

const teacherQuestion = z.object({
  id: z.int(),
  classId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  chapter: z.string(),
  question: z.string(),
  options: z.array(z.string()),
  answer: z.int(),
  status: z.enum(questionStates),
  /** Why it was declined */
  reason: z.string(),
  sentBy: z.string(),
  creationDate: z.string(),
})
export type TeacherQuestion = z.output<typeof teacherQuestion>

export const getTeacherQuestions = endpoint('GET /api/ManageSchool/Get_TeacherQuestions', {
  summary: "The questions that a school's teachers have sent in for a season, the newest first.",
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({ data: z.array(teacherQuestion) }),
})
