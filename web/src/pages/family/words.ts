import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/family.json'

/** The words of the family's frame; its pages bring their own. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/family.json'))
