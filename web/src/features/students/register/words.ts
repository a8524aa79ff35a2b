import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-register.json'

/** The words of the office's register of students. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-register.json'))
