import { defineWords } from '#shell/language/words.ts'

export const importWords = defineWords({
  en: () => import('./import-words.en.ts').then((m) => m.en),
  hi: () => import('./import-words.hi.ts').then((m) => m.hi),
})
