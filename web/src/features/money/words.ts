import { defineWords } from '#shell/language/words.ts'

/** The words of the office's books: receipts, closed days, credits and refunds, bank accounts. */
export const words = defineWords({
  en: () => import('./words.en.ts').then((m) => m.en),
  hi: () => import('./words.hi.ts').then((m) => m.hi),
})
