import { type BookDetail, getBookDetails } from '@podium/contract/books/calls'
import { bookKindsOf } from '@podium/contract/classes'
import { type ReactNode, useState } from 'react'
import { Rupees } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { PersonCard, PersonCards } from '#ui/person-cards.tsx'
import { words } from '../words.ts'
import { type Figure, useNames } from './figure.ts'
import { BookTable, PaidBadge, sectionText, takenIn } from './table.tsx'

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
  const said = { subject: subjectName, class: ofClass(classId), category }
  return (
    <Dialog
      opened
      onClose={onClose}
      size="wide"
      title={t('dialogTitle', said)}
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
          <PersonCards label={t('caption', said)}>
            {rows.map((row) => (
              <BookCard key={`${row.section} ${row.rollNo}`} row={row} />
            ))}
          </PersonCards>
        ) : (
          <BookTable caption={t('caption', said)} rows={rows} />
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Primary where the books are paid for, danger where not; the badge says it in a word. */
function BookCard({ row }: { row: BookDetail }) {
  const t = words.use()
  const { ofClass } = useNames()
  const facts: [string, ReactNode][] = [
    [t('class'), `${ofClass(row.classId)}${row.section === '-' ? '' : `, ${sectionText(row.section)}`}`],
    [t('rollNo'), row.rollNo],
    ...bookKindsOf(row.classId).map((kind): [string, ReactNode] => [t(kind), takenIn(row, kind)]),
    [t('regAmount'), <Rupees key="reg" amount={row.regAmount} />],
  ]
  if (row.bookAmount > 0) facts.push([t('bookAmount'), <Rupees key="book" amount={row.bookAmount} />])
  return (
    <PersonCard name={row.studentName} tone={row.status ? 'primary' : 'danger'} facts={facts}>
      <PaidBadge status={row.status} />
    </PersonCard>
  )
}
