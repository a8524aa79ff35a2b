import { officeMe } from '@podium/contract/staff/calls'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endpointQuery } from '#shell/query.ts'
import { signedIn, updateSession, useSession } from '#shell/session.ts'

const minute = 60_000

/**
 * Who is signed in and what waits, asked again when one comes back to the tab and every minute: somebody else decides
 * too. A role that was changed meanwhile takes effect in the menu and on the buttons.
 */
export function useOfficeMe() {
  const here = useSession() !== undefined
  const me = useQuery({
    ...endpointQuery(officeMe),
    // While one is signing out the page is still drawn; asking again would be refused.
    enabled: here,
    refetchOnWindowFocus: 'always',
    refetchInterval: minute,
  })
  const officer = me.data?.officer
  useEffect(() => {
    const known = signedIn()
    if (!officer || !known) return
    const { name: userName, role, permissions } = officer
    const same = known.role === role && known.permissions?.join() === permissions.join()
    if (!same || known.userName !== userName) updateSession({ userName, role, permissions })
  }, [officer])
  return me
}
