import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-details.json'

/** The words of the page School Details. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-details.json'))
