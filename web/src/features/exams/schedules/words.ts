import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/exams-schedules.json'

/** The words of the page Exam Schedule Status. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-schedules.json'))
