import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/families.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/families.json'))
