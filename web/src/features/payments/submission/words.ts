import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/payments.json'

/** The words of the page Manage Payments. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/payments.json'))
