import { messages } from '@podium/contract/messages'
import { duplicateOption, questionForm, type TeacherQuestion } from '@podium/contract/questions/calls'
import * as z from 'zod/mini'

export const emptyQuestion = {
  classId: '',
  eventLetter: '',
  chapter: '',
  question: '',
  option1: '',
  option2: '',
  option3: '',
  option4: '',
  answer: '',
}
type QuestionValues = typeof emptyQuestion

/** Native fields give text. No choice becomes 0, which the contract rejects with the field's own message. */
const number = (schema: typeof questionForm.shape.answer) =>
  z.pipe(z.pipe(z.string(), z.transform(Number)), schema)

/** The form's values, validated by the contract's rules. */
export const questionSchema = z
  .object({
    ...questionForm.shape,
    classId: number(questionForm.shape.classId),
    answer: number(questionForm.shape.answer),
  })
  .check((payload) => {
    const sameOption = duplicateOption(payload.value)
    if (!sameOption) return
    payload.issues.push({
      code: 'custom',
      path: [sameOption],
      message: messages.optionsAlike,
      input: payload.value,
    })
  })

/** Returns the values of a question that was sent. */
export function questionValues(sent: TeacherQuestion): QuestionValues {
  const { eventLetter, chapter, question, options } = sent
  const [option1 = '', option2 = '', option3 = '', option4 = ''] = options
  const values = { eventLetter, chapter, question, option1, option2, option3, option4 }
  return { ...values, classId: String(sent.classId), answer: String(sent.answer) }
}

/** Returns the values for a teacher's next question, mostly of the same class, subject and chapter. */
export function nextQuestion({ classId, eventLetter, chapter }: QuestionValues): QuestionValues {
  return { ...emptyQuestion, classId, eventLetter, chapter }
}
