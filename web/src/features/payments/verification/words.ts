import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/payments-verification.json'

/** The words of the office's queue of payments. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-verification.json'))
