import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-people.en.ts').then((m) => m.en),
  hi: () => import('./words-people.hi.ts').then((m) => m.hi),
})
