import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/contacts.json'

/** The words of the page Contact Detail. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/contacts.json'))
