import { defineWords } from '../language/words.ts'

export const words = defineWords({
  en: () => import('./words.en.ts').then((m) => m.en),
  hi: () => import('./words.hi.ts').then((m) => m.hi),
})
