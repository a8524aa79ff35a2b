import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('@podium/contract/changes-words-kinds.en').then((m) => m.en),
  hi: () => import('./words-kinds.hi.ts').then((m) => m.hi),
})
