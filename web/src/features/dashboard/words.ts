import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/dashboard.json'

/** The words of the dashboard. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/dashboard.json'))
