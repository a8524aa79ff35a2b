import { signInOptions } from '@podium/contract/accounts/calls'
import { adjustableLimits } from '@podium/contract/office/rules-limits'
import { useEndpoint } from './query.ts'

/** Returns limits the foundation may have changed, for hints in forms; the built-in ones until they are loaded. */
export function usePortalLimits(): { importRows: number; proofMegabytes: number } {
  const { data } = useEndpoint(signInOptions)
  return {
    importRows: data?.importRows ?? adjustableLimits.importRows.builtIn,
    proofMegabytes: data?.proofMegabytes ?? adjustableLimits.proofMegabytes.builtIn,
  }
}
