import type { LateFeeTold } from '@podium/contract/catalogue/calls-late-fees'
import type { Deadline } from '@podium/contract/dashboard/calls'
import { paise, rupees } from '@podium/contract/money'
import { addDays, daysBetween } from '@podium/contract/season'

/** What a school's deadlines are decided by. Days are IST days, money is paise. */
export interface DeadlineFacts {
  /** Whether the season takes entries at all */
  open: boolean
  /** The level 1 events, each with the last day of its entries */
  closings: ReadonlyArray<{ name: string; day: string }>
  /** The school's offline events with students for which no date is chosen; `firstDate` null while none is set */
  undated: ReadonlyArray<{ name: string; firstDate: string | null; choiceDays: number; paid: boolean }>
  /** Olympiads with invitations to the next level that the school has not answered, each with the last day for it */
  unanswered: ReadonlyArray<{ name: string; day: string }>
  /** Of the events that can be entered, by day; none unless the season is open */
  lateFees: readonly LateFeeTold[]
  feeDueOn: string
  /** Payable for students whose fees are neither paid nor being verified */
  payable: number
}

type Fact = Omit<Deadline, 'daysLeft'>

interface Ending {
  name: string
  day: string
  paid: boolean
}

/** The day that comes next of a kind, with what ends on it and how much ends after it; what has ended is left out. */
function next(kind: 'enrolment' | 'dates' | 'invitations', all: readonly Ending[], today: string): Fact[] {
  const ahead = all.filter(({ day }) => day >= today)
  const days = ahead.map(({ day }) => day).sort()
  const [day] = days
  if (day === undefined) return []
  const now = ahead.filter((one) => one.day === day)
  return [
    {
      kind,
      day,
      subjects: now.map(({ name }) => name),
      later: ahead.length - now.length,
      amount: 0,
      unpaid: now.filter(({ paid }) => !paid).length,
    },
  ]
}

/** A fee stays a deadline after its day: it is late until it is paid. */
function fee({ payable, feeDueOn }: DeadlineFacts): Fact[] {
  if (payable <= 0) return []
  const amount = rupees(paise(payable))
  return [{ kind: 'payment', day: feeDueOn, subjects: [], later: 0, amount, unpaid: 0 }]
}

/** The last day without the late fee that begins next; one amount of that day, the others follow. */
function late({ lateFees }: DeadlineFacts): Fact[] {
  const ahead = lateFees.filter(({ inForce }) => !inForce)
  const [first, ...others] = ahead
  if (!first) return []
  const { from, fee: amount, subjects } = first
  const later = others.reduce((sum, one) => sum + one.subjects.length, 0)
  return [{ kind: 'late', day: addDays(from, -1), subjects, later, amount, unpaid: 0 }]
}

/** What has a last day and is still to be done, the next of each kind, the most urgent first; today is 0 days left. */
export function deadlinesOf(facts: DeadlineFacts, today: string): Deadline[] {
  const entries = facts.open ? facts.closings.map((one) => ({ ...one, paid: true })) : []
  const answers = facts.unanswered.map((one) => ({ ...one, paid: true }))
  const choices = facts.undated.flatMap(({ firstDate, choiceDays, ...one }) =>
    firstDate === null ? [] : [{ ...one, day: addDays(firstDate, -choiceDays) }],
  )
  return [
    ...fee(facts),
    ...next('enrolment', entries, today),
    ...late(facts),
    ...next('dates', choices, today),
    ...next('invitations', answers, today),
  ]
    .map((fact) => ({ ...fact, daysLeft: daysBetween(today, fact.day) }))
    .sort((one, other) => one.daysLeft - other.daysLeft)
}
