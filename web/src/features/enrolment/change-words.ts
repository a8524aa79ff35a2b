import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/enrolment-change.json'

/** The words of changing several students at once. */
export const changeWords = defineWords<typeof en>(import.meta.glob('#words/*/enrolment-change.json'))
