import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/money-ledger.json'

/** The words of the ledger over all schools. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/money-ledger.json'))
