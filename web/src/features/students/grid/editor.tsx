import { useMediaQuery } from '@mantine/hooks'
import { formatRupees, rupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { Suspense, startTransition, useEffect, useRef, useState } from 'react'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { endsWithTab } from '#shell/session.ts'
import { useRefusalText } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import { Figure } from '#ui/money-sum.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { type Entry, useEntry, useRestoredRows } from '../entry/use-entry.ts'
import { words } from '../entry/words.ts'
import { notableReadings } from '../import/data.ts'
import { nextFault } from './grid-check.ts'
import {
  deleteRows,
  fillDown,
  gridFields,
  insertRows,
  isBlank,
  moveTo,
  redo,
  undo,
  writtenRows,
} from './grid-sheet.ts'
import { GridTable } from './table.tsx'
import { type Grid, useAskBeforeClosing, useGrid } from './use-grid.ts'
import { useGridClip } from './use-keys.ts'
import { gridWords } from './words.ts'

const GridCard = lazyPart(() => import('./card.tsx'), 'GridCard')
const pageSize = 20
const column = (field: (typeof gridFields)[number]) => gridFields.indexOf(field)

interface GridCardsProps {
  grid: Grid
  catalogue: RowCatalogue
  onPaste: () => void
}

/** The rows on a phone: one card each, opened to fill in its fields. */
function GridCards({ grid, catalogue, onPaste }: GridCardsProps) {
  const t = gridWords.use()
  const translate = useSentences()
  const [opened, setOpened] = useState<number>()
  const [page, setPage] = useState(1)
  const { sheet, checked } = grid
  const rows = sheet.rows.flatMap((row, index) => (isBlank(row) ? [] : [{ row, at: index }]))
  const last = Math.max(1, Math.ceil(rows.length / pageSize))
  const now = Math.min(page, last)
  const open = (index: number) => {
    grid.applyStep((sheet) => moveTo(sheet, { row: index, column: 0 }))
    startTransition(() => setOpened(index))
  }
  const fault = nextFault(checked.faults, sheet.cursor, 1)
  const firstFree = sheet.rows.findLastIndex((row) => !isBlank(row)) + 1
  return (
    <div className="stack gap-3">
      <p>{t('cardsLead')}</p>
      <div className="acts">
        <Button icon="plus" onClick={() => open(firstFree)}>
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
        <ul className="stack gap-2">
          {rows.slice((now - 1) * pageSize, now * pageSize).map(({ row, at: index }) => {
            const faults = checked.rows.get(index)?.faults ?? []
            const place = [row[column('classId')], row[column('section')], row[column('rollno')]]
            return (
              <li key={index}>
                <button
                  type="button"
                  className={faults.length ? 'gr-card bad' : 'gr-card'}
                  onClick={() => open(index)}>
                  <b>{row[column('studentName')] || t('rowName', { n: index + 1 })}</b>
                  <span>{place.filter(Boolean).join(', ')}</span>
                  <span>{translateSentence(row[column('subjectName')] ?? '')}</span>
                  {faults.map(({ field, message }) => (
                    <span className="gr-f" key={`${field} ${message}`}>
                      <Icon name="warning" small />
                      {translate(message)}
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
            index={opened}
            grid={grid}
            catalogue={catalogue}
            onNext={() => open(opened + 1)}
            onClose={() => {
              grid.applyStep((sheet) => ({ ...sheet, typing: undefined }))
              setOpened(undefined)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** What the keys do, as buttons; the number of errors and a button to the next one. */
function GridToolbar({ grid, onPaste }: { grid: Grid; onPaste: () => void }) {
  const t = gridWords.use()
  const [opened, setOpened] = useState<'keys' | 'clear'>()
  const { sheet, checked } = grid
  const count = checked.faults.length
  const written = writtenRows(sheet.rows).length
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="gr-tools row gap-2" role="group" aria-label={t('tools')}>
      <Button
        icon="undo"
        disabled={sheet.past.length === 0 ? t('nothingToUndo') : undefined}
        onClick={() => grid.applyStep(undo, t('undone'))}
        aria-keyshortcuts="Control+Z">
        {t('undo')}
      </Button>
      <Button
        disabled={sheet.future.length === 0 ? t('nothingToRedo') : undefined}
        onClick={() => grid.applyStep(redo, t('redone'))}
        aria-keyshortcuts="Control+Y">
        {t('redo')}
      </Button>
      <Button onClick={() => grid.applyStep(fillDown, t('filled'))} aria-keyshortcuts="Control+D">
        {t('fillDown')}
      </Button>
      <Button onClick={() => grid.applyStep(insertRows)}>{t('insert')}</Button>
      <Button onClick={() => grid.applyStep(deleteRows)}>{t('remove')}</Button>
      <Button onClick={onPaste}>{t('paste')}</Button>
      <Button
        kind="text"
        disabled={written === 0 ? t('nobody') : undefined}
        onClick={() => setOpened('clear')}>
        {t('clearAll')}
      </Button>
      <Button kind="text" onClick={() => setOpened('keys')}>
        {t('keys')}
      </Button>
      <span className={count > 0 ? 'gr-count bad' : 'gr-count'}>
        {count > 0 ? t('faults', { n: count }) : t('noFault')}
      </span>
      <Button
        disabled={count === 0 ? t('noFault') : undefined}
        onClick={() => grid.goToFault(1)}
        aria-keyshortcuts="F8"
        shortcut="F8">
        {t('nextFault')}
      </Button>
      {opened === 'keys' && <GridKeysDialog onClose={() => setOpened(undefined)} />}
      {opened === 'clear' && (
        <ConfirmDialog
          opened
          danger
          title={t('clearTitle', { n: written })}
          action={t('clearAll')}
          onConfirm={() => {
            grid.replace([], t('cleared'))
            setOpened(undefined)
          }}
          onCancel={() => setOpened(undefined)}>
          <p>{t('clearText')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const GridCheckDialog = lazyPart(() => import('./dialogs.tsx'), 'GridCheckDialog')
const GridKeysDialog = lazyDialog(() => import('./dialogs.tsx'), 'GridKeysDialog')
const GridPasteDialog = lazyPart(() => import('./dialogs.tsx'), 'GridPasteDialog')

interface GridEditorProps {
  season: Season
  catalogue: RowCatalogue
  /** The import whose progress the page shows */
  importId: string
  /** Refetches the price list */
  refresh: () => unknown
}

const refreshAfter = 5 * 60_000

/** The rows as a grid, as cards on a phone; notes about them; the bar that enters them. */
export function GridEditor({ season, catalogue, importId, refresh }: GridEditorProps) {
  const t = gridWords.use()
  const textOf = useRefusalText()
  const grid = useGrid(season, catalogue)
  const entry = useEntry(season, grid)
  const clip = useGridClip(grid)
  const [pasting, setPasting] = useState(false)
  const phone = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
  const box = useRef<HTMLDivElement>(null)
  useRestoredRows(grid, importId)
  useAskBeforeClosing(grid.sheet.rows)
  const lastRefresh = useRef(Date.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: with what is typed
  useEffect(() => {
    // Typing alone sends no requests, so one is sent now and then to keep the session alive.
    if (Date.now() - lastRefresh.current < refreshAfter) return
    lastRefresh.current = Date.now()
    void refresh()
  }, [grid.sheet.rows])
  // Focuses the grid at once, to save a dozen Tabs. A page that was left with a dialog open keeps its own focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!phone) grid.requestFocus()
  }, [])
  const openPaste = () => startTransition(() => setPasting(true))
  const toFaults = () => {
    entry.close()
    // The dialog first returns the focus to where it was; then the cell takes it.
    setTimeout(() => grid.goToFault(1))
  }
  const { problem, checkedEntry } = entry
  return (
    <div className="stack gap-3">
      {problem && (
        <Note kind="bad">
          {problem.status === 0 ? t('offline') : textOf(problem)}{' '}
          {problem.code === 'changed_meanwhile' && t('changedSince')}
        </Note>
      )}
      {grid.notes.map((note) => (
        <Note key={note} kind="due">
          {note}{' '}
          <button type="button" className="lk" onClick={() => grid.setNotes([])}>
            {t('dismiss')}
          </button>
        </Note>
      ))}
      {!grid.isDraftSaved && <Note kind="bad">{t('draftNotSaved')}</Note>}
      {phone ? (
        <GridCards grid={grid} catalogue={catalogue} onPaste={openPaste} />
      ) : (
        <>
          <GridToolbar grid={grid} onPaste={openPaste} />
          <p id="gr-how" className="sr">
            {t('how')}
          </p>
          <GridTable season={season} grid={grid} catalogue={catalogue} box={box} />
        </>
      )}
      <p className="sr" role="status">
        {grid.announcement}
      </p>
      <GridBar grid={grid} entry={entry} />
      <Suspense>
        {checkedEntry && (
          <GridCheckDialog season={season} checked={checkedEntry} entry={entry} toFaults={toFaults} />
        )}
        {pasting && (
          <GridPasteDialog
            onPaste={(text) => {
              setPasting(false)
              clip.append(text)
            }}
            onClose={() => setPasting(false)}
          />
        )}
      </Suspense>
    </div>
  )
}

/**
 * Always in sight: how many rows are ready, how many errors, the amounts from the fee function, and the button to
 * enter.
 */
function GridBar({ grid, entry }: { grid: Grid; entry: Entry }) {
  const t = gridWords.use()
  const w = words.use()
  const { good, bad, fee, faults } = grid.checked
  const readAs = notableReadings(grid.checked.readAs, translateSentence)
  const schoolShare = rupees(fee.schoolExpenses) + rupees(fee.bookSchoolExpenses)
  const registration = rupees(fee.regAmount)
  const books = rupees(fee.bookAmount)
  return (
    <div className="gr-bar act-bar row between gap-4">
      <p>
        <b>{t('ready', { n: good })}</b>
        {faults.length > 0 && <span className="gr-count bad">{t('faults', { n: faults.length })}</span>}
        {readAs.slice(0, 3).map(({ written, name, rows: n }) => (
          <span key={written} className="gr-count">
            {t('readAs', { written, name, n })}
          </span>
        ))}
        <span className="gr-count">{t(endsWithTab() ? 'draftSavedInTab' : 'draftSaved')}</span>
      </p>
      <div className="sum">
        <Figure label={w('registration')}>{formatRupees(registration)}</Figure>
        <Figure label={w('books')}>{formatRupees(books)}</Figure>
        <Figure label={w('keeps')}>
          {schoolShare > 0 && '−'}
          {formatRupees(schoolShare)}
        </Figure>
        <Figure label={w('payable')} className="pay">
          {formatRupees(registration + books - schoolShare)}
        </Figure>
      </div>
      <Button
        kind="primary"
        busy={entry.busy}
        disabled={good + bad === 0 ? t('nobody') : undefined}
        onClick={() => void entry.check()}>
        {t('check')}
      </Button>
    </div>
  )
}
