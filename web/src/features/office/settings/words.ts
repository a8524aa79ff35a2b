import { jobWords } from '@podium/contract/office/words-jobs'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office-settings.json'

/** The words of the office's settings and of the list of long work. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-settings.json'))

/** What long work is called, by the key of its kind. */
export const jobNames = defineWords<(typeof jobWords)['en']>({
  '/en/': async () => ({ default: jobWords.en }),
  '/hi/': async () => ({ default: jobWords.hi }),
})
