import { defineWords, type Translate } from '#shell/language/words.ts'
import type { en } from './results-words.en.ts'

export const resultWords = defineWords({
  en: () => import('./results-words.en.ts').then((m) => m.en),
  hi: () => import('./results-words.hi.ts').then((m) => m.hi),
})

export type ResultT = Translate<typeof en>
