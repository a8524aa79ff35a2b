import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/audit-log.json'

/** The words of the office's record of changes. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/audit-log.json'))
