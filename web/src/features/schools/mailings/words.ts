import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-mailings.json'

/** The words of the office's page that writes to many schools. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-mailings.json'))
