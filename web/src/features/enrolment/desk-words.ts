import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/enrolment-desk.json'

/** The words of the import desk. */
export const deskWords = defineWords<typeof en>(import.meta.glob('#words/*/enrolment-desk.json'))
