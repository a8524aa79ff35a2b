import { defineWords } from '#shell/language/words.ts'

export const certificateWords = defineWords({
  en: () => import('./certificate-words.en.ts').then((m) => m.en),
  hi: () => import('./certificate-words.hi.ts').then((m) => m.hi),
})
