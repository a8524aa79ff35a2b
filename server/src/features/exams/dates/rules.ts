import type { DateReason } from '@podium/contract/exams/calls'
import { addDays } from '@podium/contract/season'

/** What decides whether a school may choose an event's date. Days are IST days. */
export interface ChoiceFacts {
  firstDate: string | null
  /** Days before the first date on which choosing closes, by the season's rule */
  choiceDays: number
  /** Active students of the school in the event, and those whose registration is paid */
  totalStudent: number
  paidStudent: number
}

/** The last day on which the date can be chosen or changed; null while no first date is set. */
export function lastDayToChoose({ firstDate, choiceDays }: ChoiceFacts): string | null {
  return firstDate === null ? null : addDays(firstDate, -choiceDays)
}

/**
 * Why a school can't choose now, or undefined; what can't be mended any more comes first. The statement that writes
 * guards the same. docs/algorithms/exam-dates.md
 */
export function reasonAgainst(facts: ChoiceFacts, today: string): DateReason | undefined {
  const until = lastDayToChoose(facts)
  if (until === null) return 'exam.no_dates'
  if (facts.totalStudent === 0) return 'exam.no_students'
  if (today > until) return 'exam.too_late'
  if (facts.paidStudent < facts.totalStudent) return 'exam.unpaid'
  return undefined
}
