import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/results.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/results.json'))
