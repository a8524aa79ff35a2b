import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-import-progress.json'

/** The words of the import of students. */
export const importWords = defineWords<typeof en>(import.meta.glob('#words/*/students-import-progress.json'))
