import { defineWords } from '#shell/language/words.ts'

export const lateWords = defineWords({
  en: () => import('./late-words.en.ts').then((m) => m.en),
  hi: () => import('./late-words.hi.ts').then((m) => m.hi),
})
