import type { Invitation, invitationCases } from '@podium/contract/accounts/calls-invitations'
import type { ErrorCode } from '@podium/contract/errors'

const day = 86_400_000

/** How long the coordinator's part stays on offer, in days. */
export const offerDays = 7

/** When the link of an invitation ends. */
export const invitationEnd = (now: Date, days: number): Date => new Date(now.getTime() + days * day)
export const offerEnd = (now: Date): Date => new Date(now.getTime() + offerDays * day)

interface Person {
  id: number
  coordinator: boolean
  disabled: boolean
}

/**
 * Why somebody can't leave a school or be switched off now: while others can sign in, the coordinator's part is given
 * to one of them first. A school whose last person leaves has nobody, and the next who joins becomes coordinator.
 */
export function mayNotGo(people: readonly Person[], id: number): ErrorCode | undefined {
  const leaving = people.find((one) => one.id === id)
  const others = people.some((one) => one.id !== id && !one.disabled)
  return leaving?.coordinator && others ? 'colleagues.coordinator_first' : undefined
}

/** Whether a school has nobody who coordinates it: whoever joins or comes back then does. */
export function lacksCoordinator(people: readonly Person[]): boolean {
  return !people.some((one) => one.coordinator && !one.disabled)
}

interface Account {
  schoolId: number | null
  disabled: boolean
}

/**
 * What the holder of an invitation can do with the account that its address has. One account belongs to one school:
 * where it has another, that school lets it go first.
 */
export function caseOf(account: Account | undefined, schoolId: number): (typeof invitationCases)[number] {
  if (!account) return 'new'
  if (account.schoolId === schoolId) return 'member'
  if (account.schoolId !== null) return 'elsewhere'
  return account.disabled ? 'disabled' : 'known'
}

/** Whether the link of an invitation has run out. */
export const isOver = (expiresAt: Date, now: Date): Invitation['over'] => expiresAt.getTime() <= now.getTime()
