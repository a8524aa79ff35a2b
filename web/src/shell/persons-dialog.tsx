import { type ComponentProps, useState } from 'react'
import { Segmented } from '#ui/button.tsx'
import type { DataTableProps } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PersonCard, PersonCards } from '#ui/person-cards.tsx'
import { LoadProblem } from './load-problem.tsx'

interface PersonsDialogProps<Row>
  extends Pick<ComponentProps<typeof Dialog>, 'title' | 'fact' | 'size' | 'onClose'>,
    Pick<DataTableProps<Row>, 'caption' | 'columns' | 'rows' | 'rowKey' | 'cardColumns'> {
  t: (key: 'view' | 'list' | 'table' | 'noStudents' | 'noStudentsText') => string
  error: Error | null
  retry: () => unknown
  /** Beside the choice between cards and table */
  hint?: string
  /** Returns the card of a student; without it there is only the table. */
  card?: (row: Row) => ComponentProps<typeof PersonCard>
}

/** The students behind a figure of a summary, as cards or a table. */
export function PersonsDialog<Row>(props: PersonsDialogProps<Row>) {
  const { title, fact, size, onClose, t, error, retry, hint, card, ...table } = props
  const { rows, rowKey, caption } = table
  const [view, setView] = useState<'list' | 'table'>('table')
  const hasRows = rows !== undefined && rows.length > 0
  return (
    <Dialog opened onClose={onClose} size={size} title={title} fact={fact}>
      <DialogBody>
        {card && hasRows && (
          <div className="dialog-view">
            {hint && <p className="hint">{hint}</p>}
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
          <LoadProblem error={error} retry={retry} />
        ) : card && view === 'list' && hasRows ? (
          <PersonCards label={caption}>
            {rows.map((row) => (
              <PersonCard key={rowKey(row)} {...card(row)} />
            ))}
          </PersonCards>
        ) : (
          <DataTable
            {...table}
            compact
            empty={
              <EmptyState icon="users" title={t('noStudents')}>
                {t('noStudentsText')}
              </EmptyState>
            }
          />
        )}
      </DialogBody>
      <DialogFoot onClose={onClose} />
    </Dialog>
  )
}
