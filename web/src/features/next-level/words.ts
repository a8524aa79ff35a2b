import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/next-level.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/next-level.json'))
