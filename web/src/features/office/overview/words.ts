import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office-overview.json'

/** The words of the office's overview. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-overview.json'))
