import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-print-lists.json'

/** The words of what is printed of students. */
export const paperWords = defineWords<typeof en>(import.meta.glob('#words/*/students-print-lists.json'))
