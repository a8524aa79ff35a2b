import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-entry.json'

/** The words of the students' list and the student dialog; the specification's own where it has them. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-entry.json'))
