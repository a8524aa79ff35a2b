import { signInOptions } from '@podium/contract/accounts/calls'
import { movableLimits } from '@podium/contract/office/rules-limits'
import { useEndpoint } from './query.ts'

/** Limits that the foundation may have moved, for the hints of forms; as built in until they are known. */
export function usePortalLimits(): { importRows: number; proofMegabytes: number } {
  const { data } = useEndpoint(signInOptions)
  return {
    importRows: data?.importRows ?? movableLimits.importRows.builtIn,
    proofMegabytes: data?.proofMegabytes ?? movableLimits.proofMegabytes.builtIn,
  }
}
