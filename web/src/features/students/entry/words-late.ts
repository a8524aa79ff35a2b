import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-late.json'

/** What the list and the dialog of students say of late fees. */
export const lateWords = defineWords<typeof en>(import.meta.glob('#words/*/students-late.json'))
