import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/assignments.json'

/** The words of who works on what waits. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/assignments.json'))
