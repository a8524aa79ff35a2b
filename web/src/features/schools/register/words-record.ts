import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-register-record.json'

/** The words of one school's record in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-register-record.json'))
