import { useMediaQuery } from '@mantine/hooks'
import type { Season } from '@podium/contract/season'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { lazy, Suspense, startTransition, useEffect, useRef, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { Note } from '#ui/note.tsx'
import { useEntry } from '../entry/use-entry.ts'
import { useRestoredRows } from '../entry/use-restored-rows.ts'
import { GridBar } from './bar.tsx'
import { GridCards } from './cards.tsx'
import { GridTable } from './table.tsx'
import { GridToolbar } from './toolbar.tsx'
import { useGridClip } from './use-clip.ts'
import { useGrid } from './use-grid.ts'
import { gridWords } from './words.ts'

const GridFound = lazy(() => import('./found.tsx').then((m) => ({ default: m.GridFound })))
const GridPaste = lazy(() => import('./paste.tsx').then((m) => ({ default: m.GridPaste })))

interface GridDeskProps {
  season: Season
  catalogue: RowCatalogue
  /** The import that the page shows how far it is */
  importId: string
  /** Asks for the price list anew */
  renew: () => unknown
}

const renewedAfter = 5 * 60_000

/** The rows as a grid, on a phone as cards; what is said of them; the bar that enters them. */
export function GridDesk({ season, catalogue, importId, renew }: GridDeskProps) {
  const t = gridWords.use()
  const say = useSentences()
  const grid = useGrid(season, catalogue)
  const entry = useEntry(season, grid)
  const clip = useGridClip(grid)
  const [pasting, setPasting] = useState(false)
  const phone = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
  const box = useRef<HTMLDivElement>(null)
  useRestoredRows(grid, importId)
  const asked = useRef(Date.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: with what is typed
  useEffect(() => {
    // Typing alone asks the server nothing: now and then it does, so that nobody is signed out in the midst of it.
    if (Date.now() - asked.current < renewedAfter) return
    asked.current = Date.now()
    void renew()
  }, [grid.sheet.rows])
  // One who comes to the grid types: not behind a dozen of Tabs. A page that was left with a dialog open keeps its own focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!phone) grid.pull()
  }, [])
  const openPaste = () => startTransition(() => setPasting(true))
  const toFaults = () => {
    entry.close()
    // The dialog gives the focus back where it was; the cell takes it from there.
    setTimeout(() => grid.goToFault(1))
  }
  const { problem, found } = entry
  return (
    <div className="gr-desk">
      {problem && (
        <Note kind="bad">
          {problem.status === 0 ? t('offline') : say(problem.message)}{' '}
          {problem.code === 'changed_meanwhile' && t('changedSince')}
        </Note>
      )}
      {grid.notes.map((note) => (
        <Note key={note} kind="due">
          {note}{' '}
          <button type="button" className="lk" onClick={() => grid.note([])}>
            {t('dismiss')}
          </button>
        </Note>
      ))}
      {!grid.kept && <Note kind="bad">{t('notKept')}</Note>}
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
        {grid.said}
      </p>
      <GridBar grid={grid} entry={entry} />
      <Suspense>
        {found && <GridFound season={season} found={found} entry={entry} toFaults={toFaults} />}
        {pasting && (
          <GridPaste
            onPaste={(text) => {
              setPasting(false)
              clip.paste(text)
            }}
            onClose={() => setPasting(false)}
          />
        )}
      </Suspense>
    </div>
  )
}
