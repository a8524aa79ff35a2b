import { defineWords } from '#shell/language/words.ts'

export const addWords = defineWords({
  en: () => import('./words-add.en.ts').then((m) => m.en),
  hi: () => import('./words-add.hi.ts').then((m) => m.hi),
})
