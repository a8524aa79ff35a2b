import { className } from '@podium/contract/classes'
import { formatRupees, paise, rupees } from '@podium/contract/money'
import type { PdfPage } from '#platform/pdf'

/** One class of a receipt or statement; `items` are entries or books, amounts in paise. */
export interface ClassLine {
  class_id: number
  students: number
  items: number
  gross: number
  retained: number
}

/** `₹1,24,500` from paise, as they come from the database. */
export const show = (amount: number) => formatRupees(rupees(paise(amount)))
const count = (n: number) => n.toLocaleString('en-IN')

/** Students, entries or books and the three figures, class by class with totals; `last` heads what the foundation gets. */
export function classTable(
  page: PdfPage,
  purpose: string,
  classes: readonly ClassLine[],
  last: string,
): void {
  const sum = (of: (one: ClassLine) => number) => classes.reduce((total, one) => total + of(one), 0)
  const row = (name: string, students: number, items: number, gross: number, retained: number) => [
    name,
    count(students),
    count(items),
    show(gross),
    show(retained),
    show(gross - retained),
  ]
  page.table({
    columns: [
      { title: 'Class', weight: 3 },
      { title: 'Students', weight: 2, align: 'right' },
      { title: purpose === 'books' ? 'Books' : 'Entries', weight: 2, align: 'right' },
      { title: 'Collected', weight: 3, align: 'right' },
      { title: 'Kept by the school', weight: 3, align: 'right' },
      { title: last, weight: 3, align: 'right' },
    ],
    rows: classes.map((one) =>
      row(className(one.class_id), one.students, one.items, one.gross, one.retained),
    ),
    foot: row(
      'Total',
      sum((one) => one.students),
      sum((one) => one.items),
      sum((one) => one.gross),
      sum((one) => one.retained),
    ),
  })
}
