import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-letters.json'

/** The words of the office's page that prints letters of invitation for many schools. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-letters.json'))
