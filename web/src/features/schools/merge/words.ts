import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/schools-merge.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-merge.json'))
