import { defineWords } from '#shell/language/words.ts'

export const carryWords = defineWords({
  en: () => import('./carry-words.en.ts').then((m) => m.en),
  hi: () => import('./carry-words.hi.ts').then((m) => m.hi),
})
