import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/families-privacy.json'

/** The words of the family's part about its children's data. */
export const privacyWords = defineWords<typeof en>(import.meta.glob('#words/*/families-privacy.json'))
