import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office-mails.json'

/** The words of the office's mails: the queue and the texts. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-mails.json'))
