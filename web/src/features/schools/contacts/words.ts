import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-contacts.json'

/** The words of the page Contact Detail. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-contacts.json'))
