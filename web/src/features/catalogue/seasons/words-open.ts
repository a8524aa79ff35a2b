import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue-open.json'

/** The words of opening a season. */
export const openWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-open.json'))
