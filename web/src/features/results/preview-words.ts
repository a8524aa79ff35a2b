import { defineWords } from '#shell/language/words.ts'

export const previewWords = defineWords({
  en: () => import('./preview-words.en.ts').then((m) => m.en),
  hi: () => import('./preview-words.hi.ts').then((m) => m.hi),
})
