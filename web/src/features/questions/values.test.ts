import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuestion, nextQuestion, questionSchema } from './values.ts'

const filled = {
  classId: '7',
  eventLetter: 'M',
  chapter: 'Chapter03',
  question: 'Which of these is a prime number?',
  option1: '51',
  option2: '53',
  option3: '55',
  option4: '57',
  answer: '2',
}

const messagesOf = (values: typeof filled) => {
  const read = questionSchema.safeParse(values)
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test('an empty form reports every field as required', () => {
  assert.deepEqual(messagesOf(emptyQuestion), [
    'classId: Class is required.',
    'eventLetter: Subject is required.',
    'chapter: Chapter is required.',
    'question: Question is required.',
    'option1: Option is required.',
    'option2: Option is required.',
    'option3: Option is required.',
    'option4: Option is required.',
    'answer: Answer is required.',
  ])
})

test('a filled form is sent with class and answer as numbers', () => {
  assert.deepEqual(questionSchema.parse(filled), { ...filled, classId: 7, answer: 2 })
})

test('an option that repeats an earlier one is marked, whatever its case', () => {
  const values = { ...filled, option1: 'Root', option4: ' ROOT ' }
  assert.deepEqual(messagesOf(values), ['option4: The four options must differ.'])
})

test('the next question keeps class, subject and chapter', () => {
  const { classId, eventLetter, chapter } = filled
  assert.deepEqual(nextQuestion(filled), { ...emptyQuestion, classId, eventLetter, chapter })
})
