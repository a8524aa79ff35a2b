import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-carry-over.json'

/** The words for carrying over last season's students. */
export const carryWords = defineWords<typeof en>(import.meta.glob('#words/*/students-carry-over.json'))
