import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/enrolment-grid.json'

/** The words of the grid in which students are typed or pasted. */
export const gridWords = defineWords<typeof en>(import.meta.glob('#words/*/enrolment-grid.json'))
