import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/payments-waivers.json'

/** The words of waivers on a school's payments page. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-waivers.json'))
