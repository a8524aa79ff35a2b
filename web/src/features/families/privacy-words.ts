import { defineWords } from '#shell/language/words.ts'

export const privacyWords = defineWords({
  en: () => import('./privacy-words.en.ts').then((m) => m.en),
  hi: () => import('./privacy-words.hi.ts').then((m) => m.hi),
})
