import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-grid.json'

/** The words of the grid in which students are typed or pasted. */
export const gridWords = defineWords<typeof en>(import.meta.glob('#words/*/students-grid.json'))
