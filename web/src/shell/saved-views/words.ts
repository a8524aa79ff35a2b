import type en from '#words/en/saved-views.json'
import { defineWords } from '../language/words.ts'

/** The words of saved views and of the choice of columns. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/saved-views.json'))
