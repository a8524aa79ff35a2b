import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/books.json'

/** The words of Book order, of Book summary and the dialog behind its figures. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/books.json'))
