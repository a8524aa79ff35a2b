import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue-lists.json'

/** The words of the lists that forms choose from. */
export const listWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-lists.json'))
