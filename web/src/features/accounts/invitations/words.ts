import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/accounts-members.json'

/** The words of the school's own list of staff. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/accounts-members.json'))
