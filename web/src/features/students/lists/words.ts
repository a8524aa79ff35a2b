import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-lists.json'

/** The words of Student Report, Student summary and Upload Form. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-lists.json'))
