import { defineWords } from '#shell/language/words.ts'

/** The words of the office's queue of payments. */
export const words = defineWords({
  en: () => import('./words-office.en.ts').then((m) => m.en),
  hi: () => import('./words-office.hi.ts').then((m) => m.hi),
})
