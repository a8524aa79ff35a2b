import { defineWords } from '#shell/language/words.ts'

export const changeWords = defineWords({
  en: () => import('./change-words.en.ts').then((m) => m.en),
  hi: () => import('./change-words.hi.ts').then((m) => m.hi),
})
