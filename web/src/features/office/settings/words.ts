import { jobWords } from '@podium/contract/office/words'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/office-settings.json'

/** Translations of the office's settings and background jobs. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/office-settings.json'))

/** Names of the background jobs by the key of their kind. */
export const jobNames = defineWords<(typeof jobWords)['en']>({
  '/en/': async () => ({ default: jobWords.en }),
  '/hi/': async () => ({ default: jobWords.hi }),
})
