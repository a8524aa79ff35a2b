import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/questions.json'

/** The words of the page Teacher question. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/questions.json'))
