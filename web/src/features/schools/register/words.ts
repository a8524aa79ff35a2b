import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-register.json'

/** The words of the office's school register and of the dialog that adds a school. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-register.json'))
