import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-notes.json'

/** The words of a school's notes and e-mails in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-notes.json'))
