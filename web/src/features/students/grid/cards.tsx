import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { lazy, Suspense, startTransition, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { nextFault } from './grid-check.ts'
import { gridFields, isBlank, moveTo } from './grid-sheet.ts'
import type { Grid } from './use-grid.ts'
import { gridWords } from './words.ts'

const GridCard = lazy(() => import('./card.tsx').then((m) => ({ default: m.GridCard })))
const pageSize = 20
const column = (field: (typeof gridFields)[number]) => gridFields.indexOf(field)

interface GridCardsProps {
  grid: Grid
  catalogue: RowCatalogue
  onPaste: () => void
}

/** The rows on a phone: a card each, opened to be filled in one field below the other. */
export function GridCards({ grid, catalogue, onPaste }: GridCardsProps) {
  const t = gridWords.use()
  const say = useSentences()
  const [opened, setOpened] = useState<number>()
  const [page, setPage] = useState(1)
  const { sheet, checked } = grid
  const rows = sheet.rows.flatMap((row, at) => (isBlank(row) ? [] : [{ row, at }]))
  const last = Math.max(1, Math.ceil(rows.length / pageSize))
  const now = Math.min(page, last)
  const open = (at: number) => {
    grid.act((sheet) => moveTo(sheet, { row: at, column: 0 }))
    startTransition(() => setOpened(at))
  }
  const fault = nextFault(checked.faults, sheet.at, 1)
  const free = sheet.rows.findLastIndex((row) => !isBlank(row)) + 1
  return (
    <div className="gr-cards">
      <p>{t('cardsLead')}</p>
      <div className="acts">
        <Button icon="plus" onClick={() => open(free)}>
          {t('addRow')}
        </Button>
        <Button onClick={onPaste}>{t('paste')}</Button>
        {fault && (
          <Button icon="warning" onClick={() => open(fault.row)}>
            {t('nextFault')} ({checked.faults.length})
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <Panel padded={false}>
          <EmptyState icon="list" title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        </Panel>
      ) : (
        <ul>
          {rows.slice((now - 1) * pageSize, now * pageSize).map(({ row, at }) => {
            const faults = checked.rows.get(at)?.faults ?? []
            const place = [row[column('classId')], row[column('section')], row[column('rollno')]]
            return (
              <li key={at}>
                <button
                  type="button"
                  className={faults.length ? 'gr-card bad' : 'gr-card'}
                  onClick={() => open(at)}
                >
                  <b>{row[column('studentName')] || t('rowName', { n: at + 1 })}</b>
                  <span>{place.filter(Boolean).join(', ')}</span>
                  <span>{row[column('subjectName')]}</span>
                  {faults.map(({ field, message }) => (
                    <span className="gr-f" key={`${field} ${message}`}>
                      <Icon name="warning" small />
                      {say(message)}
                    </span>
                  ))}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {rows.length > pageSize && (
        <Pager
          total={rows.length}
          page={now}
          size={pageSize}
          shown={Math.min(pageSize, rows.length - (now - 1) * pageSize)}
          onPage={setPage}
        />
      )}
      <Suspense>
        {opened !== undefined && (
          <GridCard
            key={opened}
            at={opened}
            grid={grid}
            catalogue={catalogue}
            onNext={() => open(opened + 1)}
            onClose={() => {
              grid.act((sheet) => ({ ...sheet, typing: undefined }))
              setOpened(undefined)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
