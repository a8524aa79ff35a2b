import { type BookDetail, getBookDetails } from '@podium/contract/books/calls'
import { type BookKind, bookKinds, bookKindsOf } from '@podium/contract/classes'
import type { ReactNode } from 'react'
import { Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { PersonsDialog } from '#shell/persons-dialog.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { type Figure, useNames, words } from '../figure.ts'

/** The students who take one kind of book in a subject and class, as cards or a table. */
export function BookDialog({ figure, onClose }: { figure: Figure; onClose: () => void }) {
  const t = words.use()
  const { ofClass, ofCategory } = useNames()
  const { season: FYear, subjectName, classId, bookCategory } = figure
  const { data, error, refetch } = useEndpoint(getBookDetails, {
    body: { FYear, subjectName, classId, bookCategory },
  })
  const rows = data?.data
  const category = ofCategory(bookCategory)
  const values = { subject: subjectName, class: ofClass(classId), category }
  return (
    <PersonsDialog
      size="wide"
      title={t('dialogTitle', values)}
      fact={rows ? t('dialogFact', { category, n: rows.length }) : t('loadingFact', { category })}
      t={t}
      hint={t('wholeStudent')}
      caption={t('caption', values)}
      columns={useColumns(rows)}
      rows={rows}
      rowKey={(row) => `${row.section} ${row.rollNo}`}
      cardColumns={2}
      card={useCard()}
      error={error}
      retry={refetch}
      onClose={onClose}
    />
  )
}

/** Returns a student's card. Primary colour if the books are paid for, otherwise danger; the badge says it in a word. */
function useCard() {
  const t = words.use()
  const { ofClass } = useNames()
  return (row: BookDetail) => {
    const facts: [string, ReactNode][] = [
      [t('class'), `${ofClass(row.classId)}${row.section === '-' ? '' : `, ${sectionText(row.section)}`}`],
      [t('rollNo'), row.rollNo],
      ...bookKindsOf(row.classId).map((kind): [string, ReactNode] => [t(kind), subjectsWith(row, kind)]),
      [t('regAmount'), <Rupees key="reg" amount={row.regAmount} />],
    ]
    if (row.bookAmount > 0) facts.push([t('bookAmount'), <Rupees key="book" amount={row.bookAmount} />])
    const tone = row.status ? ('primary' as const) : ('danger' as const)
    return { name: row.studentName, tone, facts, children: <PaidBadge status={row.status} /> }
  }
}

/** Returns `Mathematics, Science`, or a dash for none. */
function subjectsWith(row: BookDetail, kind: BookKind): string {
  const namesByKind = { cb: row.cb, pyqp: row.pyqp, geneX: row.genex, tb: row.tb, wb: row.wb }
  return translateSentence(namesByKind[kind].split(',').join(', ')) || '–'
}

/** Returns `A`, or a dash if there is no section. */
const sectionText = (section: string) => (section === '-' || section === '' ? '–' : section)

function PaidBadge({ status }: { status: boolean }): ReactNode {
  const t = words.use()
  return <Badge kind={status ? 'paid' : 'unpaid'}>{t(status ? 'paid' : 'unpaid')}</Badge>
}

/** Returns the columns of the table, one for each of the five kinds of book among them. */
function useColumns(rows: readonly BookDetail[] | undefined): Column<BookDetail>[] {
  const t = words.use()
  const { ofClass } = useNames()
  return columnsOf(t, [
    { key: 'class', card: 'none', cell: (row) => <span className="nowrap">{ofClass(row.classId)}</span> },
    { key: 'name', title: true, cell: (row) => row.studentName },
    { key: 'section', cell: (row) => sectionText(row.section) },
    { key: 'rollNo', num: true, cell: (row) => row.rollNo },
    ...bookKinds.map(
      (kind): Column<BookDetail> => ({
        key: kind,
        label: t(kind),
        card: 'wide',
        cell: (row) => subjectsWith(row, kind),
      }),
    ),
    {
      key: 'regAmount',
      num: true,
      cell: (row) => <Rupees amount={row.regAmount} />,
      foot: rows && <Rupees amount={rows.reduce((sum, row) => sum + row.regAmount, 0)} />,
    },
    {
      key: 'bookAmount',
      num: true,
      cell: (row) => <Rupees amount={row.bookAmount} dash />,
      foot: rows && <Rupees amount={rows.reduce((sum, row) => sum + row.bookAmount, 0)} />,
    },
    { key: 'status', cell: (row) => <PaidBadge status={row.status} /> },
  ])
}
