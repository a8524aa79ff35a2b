import { logout, logoutEverywhere } from '@podium/contract/accounts/calls'
import { call } from '#shell/call.ts'

/** Ends the session on the server, or all sessions of this user. */
export async function endSessionOnServer(everywhere: boolean): Promise<void> {
  await call(everywhere ? logoutEverywhere : logout, { body: {}, leaving: true })
}
