import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/accounts.json'

/** The words of sign-in, registration, passwords and the school detail form. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/accounts.json'))
