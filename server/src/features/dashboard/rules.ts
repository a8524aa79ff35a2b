import type { LateFeeNotification } from '@podium/contract/catalogue/calls-events'
import type { Deadline, SeasonTrackAnswer, Step, StepKey } from '@podium/contract/dashboard/calls'
import { paise, rupees, rupeesOf } from '@podium/contract/money'
import type { MoneyAnswer } from '@podium/contract/payments/calls'
import { type Purpose, paymentForOf } from '@podium/contract/payments/rules'
import { addDays, daysBetween } from '@podium/contract/season'

/** The facts that decide the season's steps. Days are IST days, amounts are paise. */
export interface Facts {
  verifiedOn: string | null
  students: number
  /** Books of students or, if they have none, of the library order */
  books: number
  /** Fees with a payment being verified, except the library's: no further payment of them can be sent until then */
  pending: Purpose[]
  /** Fees whose last payment was rejected, latest decision first; paise */
  rejected: Array<{ purpose: Purpose; payable: number; reason: string }>
  closesOn: string | null
  feeDueOn: string
  resultsFrom: string
  examsFrom: string | null
  /** Offline events with students of the school: those with a chosen date, and those whose date is still to be chosen */
  dated: number
  undated: number
  /** Events in which the school has students, and how many of their lists are signed off */
  lists: number
  signed: number
  /** Events whose results the school can see: released, and not withheld from it */
  released: number
  money: MoneyAnswer
  /** Fees due, in paise. `waits`: a pending payment of the same fee must be decided first */
  due: Array<{ purpose: Purpose; ids: number[]; retained: number; books: number; pending: boolean }>
  /** Entries whose registration fee can be paid now */
  dueEntries: number
  /** Class lists of exams already held whose attendance is not entered */
  attendance: number
}

/** Student fees only: a library order is optional and does not delay a step. */
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
 * Which steps are done. Books are optional: the step is done once any are ordered or entries have closed. Dates that can
 * no longer be chosen are not waited for. A list that has closed needs no sign-off. Payment is done once there are
 * entries, nothing is due and no payment is being verified.
 */
function done(facts: Facts, today: string): Record<StepKey, boolean> {
  const closed = facts.closesOn !== null && today > facts.closesOn
  const students = facts.students > 0
  return {
    school: true,
    students,
    books: facts.books > 0 || (closed && students),
    payment: students && ofStudents(facts).length === 0 && facts.pending.length === 0,
    dates: students && facts.undated === 0,
    signoff: students && (closed || (facts.lists > 0 && facts.signed === facts.lists)),
    results: facts.released > 0,
  }
}

/**
 * The steps, and which one is next. Books are never next while a fee is due, so that a school without books is not held
 * up. After the last date is chosen and the last list signed off, results are next.
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
  const now = facts.due.filter(({ pending }) => !pending)
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const retained = paise(sum(now.map(({ retained }) => retained)))
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
            retained: next === 'payment' ? rupees(retained) : null,
            students: new Set(students).size,
            entries: facts.dueEntries,
            books: sum(now.map(({ books }) => books)),
            until,
            daysLeft: until === null ? null : daysBetween(today, until),
            beingVerified: facts.pending.length > 0,
            attendance: facts.attendance,
          },
    money: facts.money,
    rejected: rejected
      ? {
          paymentFor: paymentForOf(rejected.purpose),
          amount: rupeesOf(rejected.payable),
          reason: rejected.reason,
        }
      : null,
    examsFrom: facts.examsFrom,
    resultsFrom: facts.resultsFrom,
  }
}

/** The facts that decide a school's deadlines. Days are IST days, amounts are paise. */
export interface DeadlineFacts {
  season: string
  /** Whether the season is open for entries */
  open: boolean
  /** Level 1 events, each with its last day for entries */
  closings: ReadonlyArray<{ name: string; day: string }>
  /** Offline events with students of the school but no chosen date; `firstDate` is null until the office sets one */
  undated: ReadonlyArray<{ name: string; firstDate: string | null; choiceDays: number; paid: boolean }>
  /** Olympiads with unanswered invitations to the next level, also of earlier seasons, each with the last day to answer */
  unanswered: ReadonlyArray<{ name: string; day: string; season: string }>
  /** Late fees of the events open for entries, by day; empty unless the season is open */
  lateFees: readonly LateFeeNotification[]
  feeDueOn: string
  /** Amount payable for students whose fees are neither paid nor being verified */
  payable: number
}

type Fact = Omit<Deadline, 'daysLeft'>

/** The next day of a kind, with what ends on it and how many more end later. Past days are left out. */
function next(
  kind: 'enrolment' | 'dates' | 'invitations',
  all: readonly { name: string; season: string; day: string; paid: boolean }[],
  today: string,
): Fact[] {
  const ahead = all.filter(({ day }) => day >= today)
  const first = ahead.toSorted((a, b) => a.day.localeCompare(b.day))[0]
  if (first === undefined) return []
  const { day, season } = first
  const now = ahead.filter((item) => item.day === day && item.season === season)
  return [
    {
      kind,
      season,
      day,
      subjects: now.map(({ name }) => name),
      later: ahead.length - now.length,
      amount: 0,
      unpaid: now.filter(({ paid }) => !paid).length,
    },
  ]
}

/** A fee remains a deadline after its due date: it is overdue until paid. */
function fee({ season, payable, feeDueOn }: DeadlineFacts): Fact[] {
  if (payable <= 0) return []
  const amount = rupeesOf(payable)
  return [{ kind: 'payment', season, day: feeDueOn, subjects: [], later: 0, amount, unpaid: 0 }]
}

/** The last day before the next late fee begins. Shows one amount of that day; the others follow. */
function late({ season, lateFees }: DeadlineFacts): Fact[] {
  const ahead = lateFees.filter(({ inForce }) => !inForce)
  const [first, ...others] = ahead
  if (!first) return []
  const { from, fee: amount, subjects } = first
  const later = others.reduce((sum, item) => sum + item.subjects.length, 0)
  return [{ kind: 'late', season, day: addDays(from, -1), subjects, later, amount, unpaid: 0 }]
}

/** The next open deadline of each kind, most urgent first. Today means 0 days left. */
export function deadlinesOf(facts: DeadlineFacts, today: string): Deadline[] {
  const { season } = facts
  const entries = facts.open ? facts.closings.map((closing) => ({ ...closing, season, paid: true })) : []
  const answers = facts.unanswered.map((item) => ({ ...item, paid: true }))
  const choices = facts.undated.flatMap(({ firstDate, choiceDays, ...item }) =>
    firstDate === null ? [] : [{ ...item, season, day: addDays(firstDate, -choiceDays) }],
  )
  return [
    ...fee(facts),
    ...next('enrolment', entries, today),
    ...late(facts),
    ...next('dates', choices, today),
    ...next('invitations', answers, today),
  ]
    .map((fact) => ({ ...fact, daysLeft: daysBetween(today, fact.day) }))
    .sort((a, b) => a.daysLeft - b.daysLeft)
}
