import { defineWords } from '#shell/language/words.ts'

export const openWords = defineWords({
  en: () => import('./words-open.en.ts').then((m) => m.en),
  hi: () => import('./words-open.hi.ts').then((m) => m.hi),
})
