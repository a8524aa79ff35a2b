import { defineWords } from '#shell/language/words.ts'

export const deskWords = defineWords({
  en: () => import('./desk-words.en.ts').then((m) => m.en),
  hi: () => import('./desk-words.hi.ts').then((m) => m.hi),
})
