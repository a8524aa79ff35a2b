import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office-backups.json'

/** The words of backups and of what is kept for how long. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-backups.json'))
