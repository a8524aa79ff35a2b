import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/results-next-level.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/results-next-level.json'))
