import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/history.json'

/** The words of a record's history, and of what stands in it. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/history.json'))
