import { rankScopes } from '@podium/contract/results/schemas'
import { rulesWords } from './rules/words.ts'

export const scopeWords = {
  class: 'byClass',
  state: 'byState',
  zonal: 'byZonal',
  olympiad: 'byOlympiad',
} as const

/** The four ranks to choose from. */
export function useScopes() {
  const t = rulesWords.use()
  return rankScopes.map((value) => ({ value, label: t(scopeWords[value]) }))
}
