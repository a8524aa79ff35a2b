import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-import.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-import.json'))
