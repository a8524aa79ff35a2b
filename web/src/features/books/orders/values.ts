import type { OrderLine } from '@podium/contract/books/calls-orders'

/** What the dialog holds: the subject by its letter, the category by the field of its kind. */
export interface OrderValues extends Record<string, string> {
  classId: string
  subjectName: string
  bookCategory: string
  quantity: string
}

export const nothingOrdered: OrderValues = { classId: '', subjectName: '', bookCategory: '', quantity: '' }

export function valuesOf(line: OrderLine): OrderValues {
  return {
    classId: String(line.classId),
    subjectName: line.eventLetter,
    bookCategory: line.kind,
    quantity: String(line.quantity),
  }
}

/** The next book of the same class and subject. */
export function nextValues({ classId, subjectName }: OrderValues): OrderValues {
  return { ...nothingOrdered, classId, subjectName }
}

/** Copies, gross, share and payable amount of lines; rupees. */
export interface OrderSums {
  lines: number
  copies: number
  gross: number
  kept: number
  payable: number
}

const inPaise = (rupees: number) => Math.round(rupees * 100)

/** Sums are made in whole paise: rupees with fractions do not add up. */
export function sumsOf(lines: readonly OrderLine[]): OrderSums {
  const sum = (of: (line: OrderLine) => number) =>
    lines.reduce((total, line) => total + inPaise(of(line)), 0) / 100
  return {
    lines: lines.length,
    copies: lines.reduce((total, line) => total + line.quantity, 0),
    gross: sum((line) => line.bookAmount),
    kept: sum((line) => line.book_school_Expenses),
    payable: sum((line) => line.payableAmount),
  }
}
