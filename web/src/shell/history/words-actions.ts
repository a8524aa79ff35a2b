import type { en } from '@podium/contract/audit-log/words-actions.en'
import { defineWords } from '#shell/language/words.ts'

export const words = defineWords<typeof en>({
  '/en/': () => import('@podium/contract/audit-log/words-actions.en').then((m) => ({ default: m.en })),
  '/hi/': () => import('./words-actions.hi.ts').then((m) => ({ default: m.hi })),
})
