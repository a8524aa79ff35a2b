import type en from '#words/en/shell.json'
import { defineWords } from './language/words.ts'

/** The words of the school and office shells. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/shell.json'))
