import { formatRupees } from '@podium/contract/money'
import type { StudentRow } from '@podium/contract/students/calls'
import { Button } from '#ui/button.tsx'
import { rowTotal } from '../entry/students-table.tsx'
import { words } from '../entry/words.ts'

interface BulkBarProps {
  rows: readonly StudentRow[]
  /** Deleted ones among those that are selected */
  gone: readonly StudentRow[]
  /** All who match the filters, where the whole page is selected and there are more */
  more: number
  onAll: () => void
  onChange: () => void
  onDownload: () => void
  onDelete: () => void
  onRestore: () => void
  onClear: () => void
}

/** How many are selected, their sum, and what can be done with them together. */
export function BulkBar({ rows, gone, more, onAll, ...on }: BulkBarProps) {
  const { onChange, onDownload, onDelete, onRestore, onClear } = on
  const t = words.use()
  const sum = formatRupees(rows.reduce((total, row) => total + rowTotal(row), 0))
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length + gone.length })}</b>
        {rows.length > 0 && t('inAll', { sum })}
      </span>
      {more > 0 && (
        <Button kind="text" onClick={onAll}>
          {t('selectAll', { n: more })}
        </Button>
      )}
      {rows.length > 0 && (
        <>
          <Button icon="edit" onClick={onChange}>
            {t('changeSelected')}
          </Button>
          <Button icon="download" onClick={onDownload}>
            {t('download')}
          </Button>
          <Button kind="danger" icon="delete" onClick={onDelete}>
            {t('deleteSelected')}
          </Button>
        </>
      )}
      {gone.length > 0 && (
        <Button icon="undo" onClick={onRestore}>
          {t('restoreSelected', { n: gone.length })}
        </Button>
      )}
      <Button kind="text" onClick={onClear}>
        {t('clear')}
      </Button>
    </>
  )
}
