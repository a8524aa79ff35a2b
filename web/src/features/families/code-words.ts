import { defineWords } from '#shell/language/words.ts'

export const codeWords = defineWords({
  en: () => import('./code-words.en.ts').then((m) => m.en),
  hi: () => import('./code-words.hi.ts').then((m) => m.hi),
})
