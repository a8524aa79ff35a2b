import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue-late.json'

/** The words of late fees in the office. */
export const lateWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-late.json'))
