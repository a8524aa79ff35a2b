import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/staff-act-as-school.json'

/** The words of the foundation's visits in a school's portal. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/staff-act-as-school.json'))
