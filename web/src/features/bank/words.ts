import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/bank.json'

/** The words of bank statements and their lines. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/bank.json'))
