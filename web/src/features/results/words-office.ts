import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/results-office.json'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/results-office.json'))
