import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-statement.en.ts').then((m) => m.en),
  hi: () => import('./words-statement.hi.ts').then((m) => m.hi),
})
