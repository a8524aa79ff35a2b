import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue-add.json'

/** The words of adding an event by hand. */
export const addWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-add.json'))
