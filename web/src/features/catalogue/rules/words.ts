import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/catalogue-rules.json'

/** The words of an event's rules and of trying others out. */
export const rulesWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-rules.json'))
