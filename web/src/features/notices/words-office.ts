import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/notices-office.json'

/** The words of the office's notices. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/notices-office.json'))
