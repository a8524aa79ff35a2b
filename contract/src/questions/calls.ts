import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, olympiad, optionalText, pages, queryId, schoolName, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { assignedFilter, assignee } from '../staff/calls-assignments.ts'

/** Teachers' questions for a season's olympiads; the foundation accepts or declines each. */

/** Chapter01 to Chapter500 (specification, section 9). */
export const chapters: readonly string[] = Array.from(
  { length: 500 },
  (_, index) => `Chapter${String(index + 1).padStart(2, '0')}`,
)
const knownChapters = new Set(chapters)

export const questionStates = ['sent', 'accepted', 'declined'] as const

/** The four options in order; `answer` is the number of the right one, 1 to 4. */
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

/** Returns the first option that repeats an earlier one, ignoring case and empty ones; undefined if all differ. */
export function duplicateOption(options: Options): (typeof optionNames)[number] | undefined {
  const folded = optionNames.map((name) => options[name].toLowerCase())
  return optionNames.find((_, index) => folded[index] !== '' && folded.indexOf(folded[index] ?? '') < index)
}

/** The fields of the page Teacher question. */
export const questionForm = z.strictObject(fields)

export const saveTeacherQuestion = endpoint('POST /api/ManageSchool/Save_TeacherQuestion', {
  summary: "Sends a teacher's question to the foundation.",
  body: z.strictObject({ ...fields, FYear: seasonLabel, schId: z.optional(bodyId) }),
  answer: z.object({ id: z.int() }),
})

const teacherQuestion = z.object({
  id: z.int(),
  classId: z.int(),
  ...olympiad,
  chapter: z.string(),
  question: z.string(),
  options: z.array(z.string()),
  answer: z.int(),
  status: z.enum(questionStates),
  /** Why it was declined; empty if the school withdrew it */
  reason: z.string(),
  /** By the school, before the foundation decided */
  withdrawn: z.boolean(),
  sentBy: z.string(),
  creationDate: z.string(),
})
export type TeacherQuestion = z.output<typeof teacherQuestion>

export const getTeacherQuestions = endpoint('GET /api/ManageSchool/Get_TeacherQuestions', {
  summary: "The questions a school's teachers have sent in for a season, newest first.",
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({ data: z.array(teacherQuestion) }),
})

/** Refuses with not_found, questions.decided. */
export const withdrawQuestion = endpoint('POST /api/ManageSchool/WithdrawQuestion', {
  summary: "Withdraws a pending question of the caller's school, which may correct it and send it again.",
  body: z.strictObject({ id: bodyId }),
})

/** A question as the office reviews it: accepted, or declined with a reason. */

const officeQuestion = z.object({
  id: z.int(),
  schoolId: z.int(),
  ...schoolName,
  classId: z.int(),
  className: z.string(),
  ...olympiad,
  chapter: z.string(),
  question: z.string(),
  options: z.array(z.string()),
  answer: z.int(),
  status: z.enum(questionStates),
  /** Why it was declined, or that the school withdrew it */
  reason: z.string(),
  sentBy: z.string(),
  creationDate: z.string(),
  /** Who decided, and when; empty and null until then */
  reviewedBy: z.string(),
  reviewedAt: z.nullable(z.string()),
  assignee,
  version: z.int(),
})
export type OfficeQuestion = z.output<typeof officeQuestion>

const filters = {
  FYear: seasonLabel,
  status: z._default(z.enum(questionStates), 'sent'),
  letter: z._default(z.string().check(z.regex(/^[A-Z]?$/)), ''),
  classId: z._default(z.string().check(z.regex(/^\d{0,2}$/)), ''),
  search: optionalText(100),
  assigned: assignedFilter,
}

export const officeQuestions = endpoint('GET /api/office/questions/list', {
  summary:
    "Teachers' questions in a state, pending ones oldest first, 20 a page, with the counts of all states.",
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(officeQuestion),
    ...pages,
    counts: z.record(z.string(), z.int()),
    /** By question id: how many other schools have sent the same text for its class and subject */
    same: z.record(z.string(), z.int()),
  }),
})

/** POST, because it writes to the audit log. */
export const exportQuestions = endpoint('POST /api/office/questions/export', {
  summary: 'All questions in a state that match the filters, with options and answer, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

/** Refuses with not_found, questions.reviewed. */
export const acceptQuestion = endpoint('POST /api/office/questions/accept', {
  summary: 'Accepts a pending question.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})

export const declineQuestion = endpoint('POST /api/office/questions/decline', {
  summary: 'Declines a pending question, with a reason shown to the school, which may send it again.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason: text(messages.reasonRequired, 500) }),
})

/** As many as one page shows. */
const maxQuestions = 20

const chosenQuestions = z
  .array(z.strictObject({ id: bodyId, version: bodyId }))
  .check(z.minLength(1), z.maxLength(maxQuestions))

const severalDecided = z.object({
  done: z.array(z.object({ id: z.int() })),
  /** Questions that were refused, and why */
  refused: z.array(z.object({ id: z.int(), message: z.string() })),
})

export const acceptQuestions = endpoint('POST /api/office/questions/acceptMany', {
  summary: 'Accepts several questions, each on its own; skips and reports those already decided.',
  body: z.strictObject({ questions: chosenQuestions }),
  answer: severalDecided,
})

export const declineQuestions = endpoint('POST /api/office/questions/declineMany', {
  summary:
    'Declines several questions, each on its own, with one reason shown to their schools; skips and reports those already decided.',
  body: z.strictObject({ questions: chosenQuestions, reason: text(messages.reasonRequired, 500) }),
  answer: severalDecided,
})
