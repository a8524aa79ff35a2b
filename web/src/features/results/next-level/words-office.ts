import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/results-next-level-office.json'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/results-next-level-office.json'))
