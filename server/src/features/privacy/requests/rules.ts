import { addDays, istDay } from '@podium/contract/season'

/** Days that the law leaves (DPDP Rules 2025, rule 14: grievances and rights within 90 days). */
const lawDays = 90

/** Last day in India of the clock of a request. */
export const dueOn = (asked: Date): string => addDays(istDay(asked), lawDays)

/** How long a granted file can be taken. */
export const fileDays = 30

export const fileIsOver = (now: Date, done: Date | null): boolean =>
  done === null || now.getTime() - done.getTime() > fileDays * 86_400_000

export const openStates = ['asked', 'checked'] as const

/** What stands in place of an erased child's name. */
export const erasedName = 'Erased'

/** Why a request can't be carried out by somebody now, as a code of the contract; undefined where it can. */
export function refusalToCarryOut(
  request: { kind: string; state: string; checkedBy: number | null },
  staffId: number,
): 'privacy.decided' | 'privacy.not_checked' | 'privacy.second_person' | undefined {
  if (request.state === 'asked') return 'privacy.not_checked'
  if (request.state !== 'checked') return 'privacy.decided'
  if (request.kind === 'erase' && request.checkedBy === staffId) return 'privacy.second_person'
  return undefined
}
