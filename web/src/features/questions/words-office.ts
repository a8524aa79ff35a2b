import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/questions-office.json'

/** The words of the office's review of teachers' questions. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/questions-office.json'))
