import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-history.en.ts').then((m) => m.en),
  hi: () => import('./words-history.hi.ts').then((m) => m.hi),
})
