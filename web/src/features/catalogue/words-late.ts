import { defineWords } from '#shell/language/words.ts'

export const lateWords = defineWords({
  en: () => import('./words-late.en.ts').then((m) => m.en),
  hi: () => import('./words-late.hi.ts').then((m) => m.hi),
})
