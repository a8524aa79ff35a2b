import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-import.json'

/** The words of the import desk. */
export const deskWords = defineWords<typeof en>(import.meta.glob('#words/*/students-import.json'))
