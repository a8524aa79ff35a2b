import type en from '#words/en/confirm.json'
import { defineWords } from '../language/words.ts'

/** The words of the dialog that asks for a fresh proof. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/confirm.json'))
