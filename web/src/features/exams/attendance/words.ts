import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/exams-attendance.json'

/** The words of the office's page of attendance sheets, answer-sheet lists and admit cards. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-attendance.json'))
