import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/shipping.json'

/** The words of the office's dispatch: what has to go out, parcels, couriers. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/shipping.json'))
