import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/results-preview.json'

export const previewWords = defineWords<typeof en>(import.meta.glob('#words/*/results-preview.json'))
