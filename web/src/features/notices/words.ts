import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/notices.json'

/** The words of the notices that a school sees. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/notices.json'))
