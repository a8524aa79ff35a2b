import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/signoff.json'

/** The words of the page Sign-off. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/signoff.json'))
