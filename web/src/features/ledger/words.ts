import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/ledger.json'

/** The words of the office's books: receipts, closed days, credits and refunds, bank accounts. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger.json'))
