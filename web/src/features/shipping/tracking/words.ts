import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/shipping-tracking.json'

/** The words of the pages Track Order and Question Paper Status, and of the dialog they share. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/shipping-tracking.json'))
