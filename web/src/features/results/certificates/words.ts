import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/results-certificate.json'

export const certificateWords = defineWords<typeof en>(import.meta.glob('#words/*/results-certificate.json'))
