import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office.json'

/** The words of the office's menu. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office.json'))
