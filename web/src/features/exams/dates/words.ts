import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/exams-dates.json'

/** The words of the page Exam Date. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-dates.json'))
