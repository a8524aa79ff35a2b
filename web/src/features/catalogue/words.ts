import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue.json'

/** The words of seasons, events and prices in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/catalogue.json'))
