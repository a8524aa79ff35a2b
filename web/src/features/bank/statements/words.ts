import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/bank-statements.json'

/** The words of bank statements and their lines. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/bank-statements.json'))
