import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('@podium/contract/changes-words-actions.en').then((m) => m.en),
  hi: () => import('./words-actions.hi.ts').then((m) => m.hi),
})
