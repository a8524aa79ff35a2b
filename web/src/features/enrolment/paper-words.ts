import { defineWords } from '#shell/language/words.ts'

export const paperWords = defineWords({
  en: () => import('./paper-words.en.ts').then((m) => m.en),
  hi: () => import('./paper-words.hi.ts').then((m) => m.hi),
})
