import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/staff-people.json'

/** The words of the office's people, of one's own account there, and of the page that an invitation opens. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/staff-people.json'))
