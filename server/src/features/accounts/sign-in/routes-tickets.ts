import type { Deps } from '#platform/deps'
import type { RequestFacts } from '#platform/http/http'
import { type TicketKind, ticketCookie, ticketSeconds } from '../rules.ts'

type Cookies = Pick<RequestFacts, 'cookie' | 'setCookie'>

const secure = (deps: Deps) => deps.settings.publicUrl.startsWith('https:')

/** The proof of a step that this browser brings. */
export function broughtTicket(deps: Deps, request: Cookies, kind: TicketKind): string | undefined {
  return request.cookie(ticketCookie(kind, secure(deps)))
}

/** Leaves a proof with the browser for as long as it lasts. */
export function leaveTicket(deps: Deps, request: Cookies, kind: TicketKind, token: string): void {
  request.setCookie(ticketCookie(kind, secure(deps)), token, ticketSeconds(kind))
}

/** Takes a proof that is used up back from the browser. */
export function dropTicket(deps: Deps, request: Cookies, kind: TicketKind): void {
  if (broughtTicket(deps, request, kind) !== undefined)
    request.setCookie(ticketCookie(kind, secure(deps)), '', 0)
}
