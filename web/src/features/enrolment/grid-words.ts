import { defineWords } from '#shell/language/words.ts'

export const gridWords = defineWords({
  en: () => import('./grid-words.en.ts').then((m) => m.en),
  hi: () => import('./grid-words.hi.ts').then((m) => m.hi),
})
