import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-record.en.ts').then((m) => m.en),
  hi: () => import('./words-record.hi.ts').then((m) => m.hi),
})
