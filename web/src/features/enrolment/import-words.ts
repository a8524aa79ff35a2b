import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/enrolment-import.json'

/** The words of the import of students. */
export const importWords = defineWords<typeof en>(import.meta.glob('#words/*/enrolment-import.json'))
