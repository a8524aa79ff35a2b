import { defineWords, type Translate } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const words = defineWords({
  en: () => import('./words.en.ts').then((m) => m.en),
  hi: () => import('./words.hi.ts').then((m) => m.hi),
})

export type T = Translate<typeof en>
