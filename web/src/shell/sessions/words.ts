import type en from '#words/en/sessions.json'
import { defineWords } from '../language/words.ts'

/** The words of the list of sessions. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/sessions.json'))
