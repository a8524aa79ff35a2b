import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/waivers.json'

/** The words of waivers, in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/waivers.json'))
