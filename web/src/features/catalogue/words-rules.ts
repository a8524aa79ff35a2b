import { defineWords } from '#shell/language/words.ts'

export const rulesWords = defineWords({
  en: () => import('./words-rules.en.ts').then((m) => m.en),
  hi: () => import('./words-rules.hi.ts').then((m) => m.hi),
})
