import type { en } from '@podium/contract/audit-log/words-values.en'
import { defineWords } from '#shell/language/words.ts'

export const words = defineWords<typeof en>({
  '/en/': () => import('@podium/contract/audit-log/words-values.en').then((m) => ({ default: m.en })),
  '/hi/': () => import('./words-values.hi.ts').then((m) => ({ default: m.hi })),
})
