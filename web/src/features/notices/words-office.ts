import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-office.en.ts').then((m) => m.en),
  hi: () => import('./words-office.hi.ts').then((m) => m.hi),
})
