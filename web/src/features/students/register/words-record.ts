import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-register-record.json'

/** The words of one child's record in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/students-register-record.json'))
