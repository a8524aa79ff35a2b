import { defineWords } from '#shell/language/words.ts'

export const officeWords = defineWords({
  en: () => import('./office-words.en.ts').then((m) => m.en),
  hi: () => import('./office-words.hi.ts').then((m) => m.hi),
})
