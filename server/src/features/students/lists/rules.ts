import type { StudentRow } from '@podium/contract/students/calls'
import { studentState } from '@podium/contract/students/calls-export'

/** The kind of job that makes a PDF of students. */
export const printJob = 'students.print'

export interface Group {
  classId: number
  className: string
  /** '-' where the class has none */
  section: string
  students: readonly StudentRow[]
}

/** Students by class and section, in the order in which they come. */
export function groupsOf(students: readonly StudentRow[]): Group[] {
  const groups = Map.groupBy(students, ({ classId, section }) => `${classId} ${section}`)
  return [...groups.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { classId, className, section } = first
    return { classId, className, section, students: own }
  })
}

export const groupName = ({ className, section }: Pick<Group, 'className' | 'section'>) =>
  section === '-' ? className : `${className} ${section}`

/** Rupees of some students: what families pay, what the school keeps of it, what goes on, and how much of it is paid. */
export interface Sums {
  gross: number
  kept: number
  payable: number
  paid: number
}

export const grossOf = (row: StudentRow) => row.regAmount + row.bookAmount
export const keptOf = (row: StudentRow) => row.school_Expenses + row.book_school_Expenses

/** Sums in rupees; paise are added, so that no fraction is lost on the way. */
export function sumsOf(students: readonly StudentRow[]): Sums {
  const sum = (of: (row: StudentRow) => number) =>
    students.reduce((total, row) => total + Math.round(of(row) * 100), 0) / 100
  const gross = sum(grossOf)
  const kept = sum(keptOf)
  const paid = sum((row) => (row.paymentStatus ? grossOf(row) : 0))
  return { gross, kept, payable: Math.round((gross - kept) * 100) / 100, paid }
}

const words = { paid: 'Paid', locked: 'Being verified', unpaid: 'Due', deleted: 'Deleted' }

/** How a student stands, in a word: on paper nothing is said by colour. */
export const standing = (row: StudentRow): string => words[studentState(row)]
