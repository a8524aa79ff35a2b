import type { en as actionWords } from '@podium/contract/audit-log/words-actions.en'
import type { en as fieldWords } from '@podium/contract/audit-log/words-fields.en'
import type { en as kindWords } from '@podium/contract/audit-log/words-kinds.en'
import type { en as valueWords } from '@podium/contract/audit-log/words-values.en'
import { defineWords } from '#shell/language/words.ts'

/** What the codes of the record of changes mean; the server writes the English ones into files, so that the contract has them. */

export const actions = defineWords<typeof actionWords>({
  ...import.meta.glob('#words/*/record-actions.json'),
  '/en/': () => import('@podium/contract/audit-log/words-actions.en').then((m) => ({ default: m.en })),
})
export const fields = defineWords<typeof fieldWords>({
  ...import.meta.glob('#words/*/record-fields.json'),
  '/en/': () => import('@podium/contract/audit-log/words-fields.en').then((m) => ({ default: m.en })),
})
export const kinds = defineWords<typeof kindWords>({
  ...import.meta.glob('#words/*/record-kinds.json'),
  '/en/': () => import('@podium/contract/audit-log/words-kinds.en').then((m) => ({ default: m.en })),
})
export const values = defineWords<typeof valueWords>({
  ...import.meta.glob('#words/*/record-values.json'),
  '/en/': () => import('@podium/contract/audit-log/words-values.en').then((m) => ({ default: m.en })),
})
