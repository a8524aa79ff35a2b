import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/ledger-statement.json'

/** The words of the statement of account and of the ledger of the share. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger-statement.json'))
