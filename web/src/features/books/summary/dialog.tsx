import { type BookDetail, getBookDetails } from '@podium/contract/books/calls'
import { type BookKind, bookKinds, bookKindsOf } from '@podium/contract/classes'
import { type ReactNode, useState } from 'react'
import { Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Badge } from '#ui/badge.tsx'
import { Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PersonCard, PersonCards } from '#ui/person-cards.tsx'
import { type Figure, useNames, words } from '../figure.ts'

interface Props {
  figure: Figure
  onClose: () => void
}

/** The students who take one kind of book in a subject and class, as cards or a table. */
export function BookDialog({ figure, onClose }: Props) {
  const t = words.use()
  const { ofClass, ofCategory } = useNames()
  const [view, setView] = useState<'list' | 'table'>('table')
  const { season: FYear, subjectName, classId, bookCategory } = figure
  const { data, error, refetch } = useEndpoint(getBookDetails, {
    body: { FYear, subjectName, classId, bookCategory },
  })
  const rows = data?.data
  const category = ofCategory(bookCategory)
  const values = { subject: subjectName, class: ofClass(classId), category }
  return (
    <Dialog
      opened
      onClose={onClose}
      size="wide"
      title={t('dialogTitle', values)}
      fact={rows ? t('dialogFact', { category, n: rows.length }) : t('loadingFact', { category })}
    >
      <DialogBody>
        {rows && rows.length > 0 && (
          <div className="dialog-view">
            <p className="hint">{t('wholeStudent')}</p>
            <Segmented
              label={t('view')}
              value={view}
              choices={[
                { value: 'list', label: t('list'), icon: 'list' },
                { value: 'table', label: t('table'), icon: 'table' },
              ]}
              onChange={setView}
            />
          </div>
        )}
        {error && !rows ? (
          <LoadProblem error={error} retry={refetch} />
        ) : view === 'list' && rows && rows.length > 0 ? (
          <PersonCards label={t('caption', values)}>
            {rows.map((row) => (
              <BookCard key={`${row.section} ${row.rollNo}`} row={row} />
            ))}
          </PersonCards>
        ) : (
          <BookTable caption={t('caption', values)} rows={rows} />
        )}
      </DialogBody>
      <DialogFoot onClose={onClose} />
    </Dialog>
  )
}

/** Primary colour if the books are paid for, otherwise danger; the badge says it in a word. */
function BookCard({ row }: { row: BookDetail }) {
  const t = words.use()
  const { ofClass } = useNames()
  const facts: [string, ReactNode][] = [
    [t('class'), `${ofClass(row.classId)}${row.section === '-' ? '' : `, ${sectionText(row.section)}`}`],
    [t('rollNo'), row.rollNo],
    ...bookKindsOf(row.classId).map((kind): [string, ReactNode] => [t(kind), subjectsWith(row, kind)]),
    [t('regAmount'), <Rupees key="reg" amount={row.regAmount} />],
  ]
  if (row.bookAmount > 0) facts.push([t('bookAmount'), <Rupees key="book" amount={row.bookAmount} />])
  return (
    <PersonCard name={row.studentName} tone={row.status ? 'primary' : 'danger'} facts={facts}>
      <PaidBadge status={row.status} />
    </PersonCard>
  )
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

interface TableProps {
  caption: string
  rows: readonly BookDetail[] | undefined
}

/** The students, with a column for each of the five kinds of book. */
function BookTable({ caption, rows }: TableProps) {
  const t = words.use()
  const { ofClass } = useNames()
  const columns: Column<BookDetail>[] = [
    {
      key: 'class',
      label: t('class'),
      card: 'none',
      cell: (row) => <span className="nowrap">{ofClass(row.classId)}</span>,
    },
    { key: 'name', label: t('name'), title: true, cell: (row) => row.studentName },
    { key: 'section', label: t('section'), cell: (row) => sectionText(row.section) },
    { key: 'rollNo', label: t('rollNo'), num: true, cell: (row) => row.rollNo },
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
      label: t('regAmount'),
      num: true,
      cell: (row) => <Rupees amount={row.regAmount} />,
      foot: rows && <Rupees amount={rows.reduce((sum, row) => sum + row.regAmount, 0)} />,
    },
    {
      key: 'bookAmount',
      label: t('bookAmount'),
      num: true,
      cell: (row) => <Rupees amount={row.bookAmount} dash />,
      foot: rows && <Rupees amount={rows.reduce((sum, row) => sum + row.bookAmount, 0)} />,
    },
    { key: 'status', label: t('status'), cell: (row) => <PaidBadge status={row.status} /> },
  ]
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.section} ${row.rollNo}`}
      compact
      cardColumns={2}
      empty={
        <EmptyState icon="users" title={t('noStudents')}>
          {t('noStudentsText')}
        </EmptyState>
      }
    />
  )
}
