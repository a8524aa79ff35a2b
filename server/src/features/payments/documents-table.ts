import { bookNames, className } from '@podium/contract/classes'
import { formatNumber } from '@podium/contract/figures'
import { formatRupees, rupeesOf } from '@podium/contract/money'
import type { PdfPage } from '#platform/pdf/pdf'
import type { ClassLine, PaidCopies } from './queries.ts'

/** Formats paise from the database as `₹1,24,500`. */
export const show = (amount: number) => formatRupees(rupeesOf(amount))

/**
 * Draws students, entries or books and the three amounts, by class with totals; `last` is the heading of the amount payable.
 * A library order has no students, and nothing is collected from families.
 */
export function classTable(
  page: PdfPage,
  purpose: string,
  classes: readonly ClassLine[],
  last: string,
): void {
  const library = purpose === 'library'
  const sum = (of: (line: ClassLine) => number) => classes.reduce((total, line) => total + of(line), 0)
  const row = (name: string, students: number, items: number, gross: number, retained: number) => [
    name,
    ...(library ? [] : [formatNumber(students)]),
    formatNumber(items),
    ...amounts(gross, retained),
  ]
  page.table({
    columns: [
      { title: 'Class', weight: 3 },
      ...(library ? [] : [{ title: 'Students', weight: 2, align: 'right' as const }]),
      { title: purpose === 'registration' ? 'Entries' : 'Books', weight: 2, align: 'right' },
      ...amountColumns(library ? 'Price' : 'Collected', last),
    ],
    rows: classes.map((schoolClass) =>
      row(
        className(schoolClass.class_id),
        schoolClass.students,
        schoolClass.items,
        schoolClass.gross,
        schoolClass.retained,
      ),
    ),
    foot: row(
      'Total',
      sum((item) => item.students),
      sum((item) => item.items),
      sum((item) => item.gross),
      sum((item) => item.retained),
    ),
  })
}

const amounts = (gross: number, retained: number) => [show(gross), show(retained), show(gross - retained)]

const amountColumns = (first: string, last: string) => [
  { title: first, weight: 3, align: 'right' as const },
  { title: 'School’s share', weight: 3, align: 'right' as const },
  { title: last, weight: 3, align: 'right' as const },
]

/** Draws the books of a library order with copies and the three amounts. */
export function copiesTable(page: PdfPage, lines: readonly PaidCopies[], last: string): void {
  const sum = (of: (line: PaidCopies) => number) => lines.reduce((total, line) => total + of(line), 0)
  page.table({
    columns: [
      { title: 'Class', weight: 2 },
      { title: 'Subject', weight: 4 },
      { title: 'Book', weight: 5 },
      { title: 'Copies', weight: 2, align: 'right' },
      ...amountColumns('Price', last),
    ],
    rows: lines.map((line) => [
      className(line.class_id),
      line.subject,
      bookNames[line.kind],
      formatNumber(line.quantity),
      ...amounts(line.gross, line.retained),
    ]),
    foot: [
      'Total',
      '',
      '',
      formatNumber(sum((item) => item.quantity)),
      ...amounts(
        sum((item) => item.gross),
        sum((item) => item.retained),
      ),
    ],
  })
}
