import { defineWords, type Translate } from '#shell/language/words.ts'
import type en from '#words/en/families-public-results.json'

/** The words of the pages that a link or a certificate opens. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/families-public-results.json'))

export type T = Translate<typeof en>
