import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-bulk.json'

/** The words of changing several students at once. */
export const changeWords = defineWords<typeof en>(import.meta.glob('#words/*/students-bulk.json'))
