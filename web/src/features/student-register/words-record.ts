import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/student-register-record.json'

/** The words of one child's record in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/student-register-record.json'))
