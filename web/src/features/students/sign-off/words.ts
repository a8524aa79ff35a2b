import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-sign-off.json'

/** The words of the page Sign-off. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-sign-off.json'))
