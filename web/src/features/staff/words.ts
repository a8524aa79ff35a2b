import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/staff.json'

/** The words of the office's sign-in, its set-up and its overview. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/staff.json'))
