import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/next-level-office.json'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/next-level-office.json'))
