import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/enrolment-carry.json'

/** The words of carrying last season's students over. */
export const carryWords = defineWords<typeof en>(import.meta.glob('#words/*/enrolment-carry.json'))
