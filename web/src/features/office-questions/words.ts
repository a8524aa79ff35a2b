import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office-questions.json'

/** The words of the office's review of teachers' questions. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-questions.json'))
