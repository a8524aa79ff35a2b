import { defineWords } from '#shell/language/words.ts'

/** The words of the ledger over all schools. */
export const words = defineWords({
  en: () => import('./words-ledger.en.ts').then((m) => m.en),
  hi: () => import('./words-ledger.hi.ts').then((m) => m.hi),
})
