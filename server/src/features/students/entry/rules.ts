import type { BookKind } from '@podium/contract/classes'
import { bookKinds } from '@podium/contract/classes'
import type { ErrorCode } from '@podium/contract/errors'
import type { PricedChoice, StudentFee } from '@podium/contract/students/rules-fee'
import { amountFields } from '@podium/contract/students/rules-fee'
import type { StudentEntry } from '@podium/contract/students/schemas'

/** What decides whether a student may still be changed. */
export interface Standing {
  active: boolean
  paid: boolean
  locked: boolean
  /** Letters of the student's subjects, joined by commas */
  letters: string
}

/** The season as far as it decides: open or not, the letters whose last day has passed, and those signed off by the school. */
export interface SeasonDoors {
  open: boolean
  closed: ReadonlySet<string>
  signedOff: ReadonlySet<string>
}

type Reason = Extract<ErrorCode, `enrolment.${string}`>

/** Why nothing of an entry may change now, or undefined: paid, under verification, closed, signed off. Deleted or not is the caller's. */
export function reasonAgainst(student: Standing, season: SeasonDoors): Reason | undefined {
  if (student.paid) return 'enrolment.paid'
  if (student.locked) return 'enrolment.locked'
  if (!season.open) return 'enrolment.season_closed'
  const letters = student.letters.split(',')
  if (letters.some((letter) => season.closed.has(letter))) return 'enrolment.closed'
  if (letters.some((letter) => season.signedOff.has(letter))) return 'enrolment.signed_off'
  return undefined
}

/** What a school may do with an entry (one that the office has cancelled is gone for good): true, or the code of the reason why not. The statements that write guard the same. */
export function allowances(student: Standing & { cancelled: boolean }, season: SeasonDoors) {
  const reason: true | Reason = reasonAgainst(student, season) ?? true
  if (student.active) return { edit: reason, delete: reason, restore: 'enrolment.not_deleted' as const }
  const gone = { edit: 'enrolment.deleted', delete: 'enrolment.deleted' } as const
  return { ...gone, restore: student.cancelled ? ('enrolment.cancelled' as const) : reason }
}

/** Whether a client sent amounts that are not the ones computed here; amounts left out differ from nothing. */
export function amountsDiffer(
  sent: Pick<StudentEntry, 'regAmount' | 'bookAmount' | 'school_Expenses' | 'book_school_Expenses'>,
  fee: StudentFee,
): boolean {
  const names = ['regAmount', 'bookAmount', 'school_Expenses', 'book_school_Expenses'] as const
  const computed = amountFields(fee)
  return names.some((name) => {
    const amount = sent[name]
    return amount !== undefined && Math.abs(amount - computed[name]) > 0.001
  })
}

/** The columns that repeat enrolments and books on the student's row, for lists that read it alone. */
export interface WideColumns extends Record<Lowercase<BookKind>, string> {
  subjectNames: string
  letters: string
  bookCount: number
}

export function wideColumns(priced: PricedChoice): WideColumns {
  const names = (kind: BookKind) =>
    priced.books
      .filter((book) => book.kind === kind)
      .map((book) => book.name)
      .join(',')
  const [cb, pyqp, genex, tb, wb] = bookKinds.map(names)
  return {
    subjectNames: priced.registration.map((line) => line.name).join(','),
    letters: priced.registration.map((line) => line.letter).join(','),
    cb: cb ?? '',
    pyqp: pyqp ?? '',
    genex: genex ?? '',
    tb: tb ?? '',
    wb: wb ?? '',
    bookCount: priced.books.length,
  }
}
