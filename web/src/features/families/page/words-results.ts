import { defineWords, type Translate } from '#shell/language/words.ts'
import type en from '#words/en/families-results.json'

/** The words of a child's results on the family's page. */
export const resultWords = defineWords<typeof en>(import.meta.glob('#words/*/families-results.json'))

export type ResultT = Translate<typeof en>
