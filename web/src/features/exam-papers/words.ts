import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/exam-papers.json'

/** The words of the office's page of attendance sheets, answer-sheet lists and admit cards. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exam-papers.json'))
