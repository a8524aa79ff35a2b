import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/privacy-requests.json'

/** The words of requests about children's data. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-requests.json'))
