import type { LateFeeNotification } from '@podium/contract/catalogue/calls-events'
import type { Deadline, SeasonTrackAnswer, Step, StepKey } from '@podium/contract/dashboard/calls'
import { paise, rupees } from '@podium/contract/money'
import type { MoneyAnswer } from '@podium/contract/payments/calls'
import { type Purpose, paymentForOf } from '@podium/contract/payments/rules'
import { addDays, daysBetween } from '@podium/contract/season'

/** What the season's steps are decided by. Days are IST days, money is paise. */
export interface Facts {
  verifiedOn: string | null
  students: number
  /** Of students; where they have none, of the library order */
  books: number
  /** Fees of which a payment waits to be verified, the library's apart: nothing more of them can be sent before it is */
  pending: Purpose[]
  /** Fees whose last payment was not accepted, the latest decision first; paise */
  rejected: Array<{ purpose: Purpose; payable: number; reason: string }>
  closesOn: string | null
  feeDueOn: string
  resultsFrom: string
  examsFrom: string | null
  events: number
  dated: number
  /** Events that the school has students in, and those whose list is signed off */
  lists: number
  signed: number
  released: number
  money: MoneyAnswer
  /** The fees of which something is due; `waits` for the decision on a pending payment of the same fee. Paise */
  due: Array<{ purpose: Purpose; ids: number[]; retained: number; books: number; waits: boolean }>
  /** Entries of the registration fee that can be paid now */
  dueEntries: number
}

/** Fees of students: a library order is the school's own affair and holds up no step. */
const ofStudents = ({ due }: Facts) => due.filter(({ purpose }) => purpose !== 'library')

const day = (facts: Facts): Record<StepKey, string | null> => ({
  school: facts.verifiedOn,
  students: facts.closesOn,
  books: facts.closesOn,
  payment: facts.feeDueOn,
  dates: null,
  signoff: facts.closesOn,
  results: facts.resultsFrom,
})

const count = (facts: Facts): Record<StepKey, number | null> => ({
  school: null,
  students: facts.students,
  books: facts.books,
  payment: null,
  dates: facts.dated,
  signoff: facts.signed,
  results: null,
})

/**
 * Which steps are done. Books are the school's choice: the step is done once any are ordered, or the season's entries
 * have closed. So with signing off: a list that has closed by its day needs none. Payment is done when something was entered, nothing is due and nothing waits to be verified.
 */
function done(facts: Facts, today: string): Record<StepKey, boolean> {
  const closed = facts.closesOn !== null && today > facts.closesOn
  const students = facts.students > 0
  return {
    school: true,
    students,
    books: facts.books > 0 || (closed && students),
    payment: students && ofStudents(facts).length === 0 && facts.pending.length === 0,
    dates: facts.events > 0 && facts.dated === facts.events,
    signoff: students && (closed || (facts.lists > 0 && facts.signed === facts.lists)),
    results: facts.released > 0,
  }
}

/**
 * The steps and the one that is next. Books are never what is next while something is to be paid: a school that
 * orders none should not be held up. Once the last date is chosen and the last list signed off the school waits for the
 * results.
 */
export function trackOf(facts: Facts, today: string): SeasonTrackAnswer {
  const isDone = done(facts, today)
  const order: StepKey[] = ['students', 'payment', 'dates', 'signoff', 'results']
  const next = order.find((key) => !isDone[key]) ?? null
  const keys: StepKey[] = ['school', 'students', 'books', 'payment', 'dates', 'signoff', 'results']
  const steps: Step[] = keys.map((key) => ({
    key,
    state: key === next ? 'now' : isDone[key] ? 'done' : 'later',
    day: day(facts)[key],
    count: count(facts)[key],
  }))
  const now = facts.due.filter(({ waits }) => !waits)
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const kept = paise(sum(now.map(({ retained }) => retained)))
  const students = now.filter(({ purpose }) => purpose !== 'library').flatMap(({ ids }) => ids)
  const rejected = facts.rejected.find(({ purpose }) => now.some((item) => item.purpose === purpose))
  const until = next === null ? null : next === 'dates' ? null : day(facts)[next]
  return {
    steps,
    next:
      next === null
        ? null
        : {
            key: next,
            payable: next === 'payment' ? facts.money.payNow : null,
            retained: next === 'payment' ? rupees(kept) : null,
            students: new Set(students).size,
            entries: facts.dueEntries,
            books: sum(now.map(({ books }) => books)),
            until,
            daysLeft: until === null ? null : daysBetween(today, until),
            beingVerified: facts.pending.length > 0,
          },
    money: facts.money,
    rejected: rejected
      ? {
          paymentFor: paymentForOf(rejected.purpose),
          amount: rupees(paise(rejected.payable)),
          reason: rejected.reason,
        }
      : null,
    examsFrom: facts.examsFrom,
    resultsFrom: facts.resultsFrom,
  }
}

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
  lateFees: readonly LateFeeNotification[]
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
