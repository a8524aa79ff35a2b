import { defineWords } from '#shell/language/words.ts'

/** The words of bank statements and their lines. */
export const words = defineWords({
  en: () => import('./words.en.ts').then((m) => m.en),
  hi: () => import('./words.hi.ts').then((m) => m.hi),
})
