import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/school-import.json'

export const words = defineWords<typeof en>(import.meta.glob('#words/*/school-import.json'))
