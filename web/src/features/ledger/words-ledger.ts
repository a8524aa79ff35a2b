import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/ledger-list.json'

/** The words of the ledger over all schools. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger-list.json'))
