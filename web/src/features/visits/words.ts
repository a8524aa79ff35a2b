import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/visits.json'

/** The words of the foundation's visits in a school's portal. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/visits.json'))
