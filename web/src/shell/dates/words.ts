import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/dates.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/dates.json'))
