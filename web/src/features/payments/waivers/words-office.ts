import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/payments-waivers-office.json'

/** The words of waivers, in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-waivers-office.json'))
