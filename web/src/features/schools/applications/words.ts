import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-applications.json'

/** The words of the office's queue of applications. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-applications.json'))
