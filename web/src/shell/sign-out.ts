import { toast } from '#ui/toast.tsx'
import { pauseCalls } from './call.ts'
import { deleteOwnDrafts } from './own-draft.ts'
import { queryClient } from './query.ts'
import { area, endSession } from './session.ts'

type EndSession = (everywhere: boolean) => Promise<unknown>

let tellServer: EndSession | undefined

/** The accounts feature sets here how the server ends a session (and all of a user's sessions). */
export function setServerSignOut(endSession: EndSession): void {
  tellServer = endSession
}

export function canEndEverywhere(): boolean {
  return area === 'school' && tellServer !== undefined
}

/**
 * Ends the session on the server, unless that has ended it already (`tell`), then clears everything stored in this browser, drafts and cached answers included,
 * even if the server refused. Navigates to `leave`. From the start no more calls are made.
 */
export async function signOut(
  everywhere: boolean,
  leave: () => Promise<unknown>,
  tell = tellServer,
): Promise<void> {
  void queryClient.cancelQueries()
  const resumeCalls = pauseCalls()
  try {
    await tell?.(everywhere)
  } finally {
    deleteOwnDrafts()
    endSession()
    queryClient.clear()
    toast.clear()
    await leave().finally(resumeCalls)
  }
}
