import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-register.json'

/** The words of the office's register of schools and of the dialog that makes one. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-register.json'))
