import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('@podium/contract/changes-words-fields.en').then((m) => m.en),
  hi: () => import('./words-fields.hi.ts').then((m) => m.hi),
})
