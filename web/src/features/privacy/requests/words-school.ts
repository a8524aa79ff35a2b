import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/privacy-requests-school.json'

/** The words of the school's page of data requests that parents have told it of. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/privacy-requests-school.json'))
