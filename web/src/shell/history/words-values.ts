import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('@podium/contract/changes-words-values.en').then((m) => m.en),
  hi: () => import('./words-values.hi.ts').then((m) => m.hi),
})
