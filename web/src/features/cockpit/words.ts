import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/cockpit.json'

/** The words of the office's cockpit. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/cockpit.json'))
