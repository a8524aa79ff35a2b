import { resultPaths } from '@podium/contract/results-paths'
import type * as contract from '@podium/contract/results-public'

// Method and path are all that a call needs; the schemas behind them would not fit into the family's first load.

export const publicResult = {
  method: 'GET',
  path: resultPaths.publicResult,
} as typeof contract.publicResult

export const verifyCertificate = {
  method: 'GET',
  path: resultPaths.verifyCertificate,
} as typeof contract.verifyCertificate
