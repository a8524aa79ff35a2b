import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-actions.en.ts').then((m) => m.en),
  hi: () => import('./words-actions.hi.ts').then((m) => m.hi),
})
