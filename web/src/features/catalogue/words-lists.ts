import { defineWords } from '#shell/language/words.ts'

export const listWords = defineWords({
  en: () => import('./words-lists.en.ts').then((m) => m.en),
  hi: () => import('./words-lists.hi.ts').then((m) => m.hi),
})
