import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/school-details.json'

/** The words of the page School Details. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/school-details.json'))
