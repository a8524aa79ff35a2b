import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/families-code.json'

/** What is read before the access code; the rest is downloaded meanwhile. */
export const codeWords = defineWords<typeof en>(import.meta.glob('#words/*/families-code.json'))
