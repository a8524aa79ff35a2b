import { defineWords } from '#shell/language/words.ts'

export const words = defineWords({
  en: () => import('./words-waivers.en.ts').then((m) => m.en),
  hi: () => import('./words-waivers.hi.ts').then((m) => m.hi),
})
