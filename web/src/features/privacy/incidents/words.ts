import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/privacy-incidents.json'

/** The words of the register of breaches of personal data. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-incidents.json'))
