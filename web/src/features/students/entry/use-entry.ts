import type { AnswerOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { checkRows, enterRows } from '@podium/contract/students/calls-grid'
import { importStatus } from '@podium/contract/students/calls-import'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { endpointQuery } from '#shell/query.ts'
import { rollConflicts, serverFaultsOf } from '../grid/grid-check.ts'
import { isBlank, type Row } from '../grid/grid-sheet.ts'
import type { Grid } from '../grid/use-grid.ts'
import { gridWords } from '../grid/words.ts'
import { rememberImport, useImportProgress } from '../import/progress-state.ts'

export interface CheckedEntry extends AnswerOf<typeof checkRows> {
  /** The rows that were checked: the grid may have changed meanwhile */
  rows: readonly Row[]
}

/** Turns the rows into the numbered rows of the calls. */
const toNumberedRows = (rows: readonly Row[]) =>
  rows.flatMap((cells, index) => (isBlank(cells) ? [] : [{ row: index + 1, cells: [...cells] }]))

/** The checked rows that are in the list of students already */
function existingRows({ rows, there }: CheckedEntry): Set<Row> {
  const numbers = new Set(there.map(({ row }) => row))
  return new Set(rows.filter((_, index) => numbers.has(index + 1)))
}

/** Checks the rows on the server, then enters the ones it accepted. */
export function useEntry(season: Season, grid: Grid) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** What `busy` will be: the dialog may still hear Escape with the functions of the render before. */
  const working = useRef(false)
  const [checkedEntry, setCheckedEntry] = useState<CheckedEntry>()
  const [problem, setProblem] = useState<CallError>()
  const { rows } = grid.sheet
  const isOffline = problem?.status === 0
  useEffect(() => {
    if (!isOffline) return
    const clear = () => setProblem(undefined)
    addEventListener('online', clear)
    return () => removeEventListener('online', clear)
  }, [isOffline])

  const attempt = async (work: () => Promise<void>) => {
    working.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setCheckedEntry(undefined)
      setProblem(cause)
    }
    working.current = false
    setBusy(false)
  }

  const check = () =>
    attempt(async () => {
      const answer = await call(checkRows, { body: { FYear: season, rows: toNumberedRows(rows) } })
      grid.setServerFaults(serverFaultsOf(rows, answer.faults, grid.checked))
      setCheckedEntry({ ...answer, rows })
    })

  /** Entered rows leave the grid for the list of students; rows already in the list leave it, too. */
  const enter = () =>
    attempt(async () => {
      if (!checkedEntry) return
      const numbers = new Set(checkedEntry.fresh)
      const freshRows = new Set(checkedEntry.rows.filter((_, index) => numbers.has(index + 1)))
      const entering = toNumberedRows(checkedEntry.rows).filter(({ row }) => numbers.has(row))
      const { regAmount, bookAmount } = checkedEntry
      const progress = await call(enterRows, {
        body: { FYear: season, rows: entering, regAmount, bookAmount },
      })
      const { importId } = progress
      // Entering rows again that were undone reuses the same import, so its cached progress is out of date.
      client.setQueryData(endpointQuery(importStatus, { query: { importId } }).queryKey, progress)
      rememberImport(importId)
      const existing = existingRows(checkedEntry)
      const remaining = rows.filter((row) => !isBlank(row) && !freshRows.has(row) && !existing.has(row))
      grid.setEntered({ importId, rows: entering.map(({ cells }) => cells) })
      grid.replace(remaining)
      grid.setServerFaults(rollConflicts([...freshRows], remaining, grid.read))
      grid.clearHistory()
      // The notes about these rows no longer apply.
      grid.setNotes([])
      setCheckedEntry(undefined)
      // Then on to the next rows, with the outcome in sight, once the dialog has released the focus.
      setTimeout(() => {
        window.scrollTo({ top: 0 })
        grid.requestFocus()
      })
    })

  /** Removes rows that are already in the list from the grid. */
  const drop = () => {
    if (!checkedEntry) return
    const existing = existingRows(checkedEntry)
    grid.replace(rows.filter((row) => !isBlank(row) && !existing.has(row)))
    setCheckedEntry(undefined)
  }

  /** While the rows are entered, the grid stays as it is: afterwards the others remain in it. */
  const close = () => {
    if (!working.current) setCheckedEntry(undefined)
  }
  return { busy, drop, checkedEntry, problem, check, enter, close }
}
export type Entry = ReturnType<typeof useEntry>

/** Puts the rows of an undone entry back into the grid, above the rows still in it. */
export function useRestoredRows(grid: Grid, importId: string): void {
  const t = gridWords.use()
  const { entered } = grid
  const { progress } = useImportProgress(entered?.importId ?? importId)
  const undone = progress?.undone === true && progress.importId === entered?.importId
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry that was taken back
  useEffect(() => {
    if (!undone || !entered) return
    const remaining = grid.sheet.rows.filter((row) => !isBlank(row))
    grid.replace([...entered.rows, ...remaining])
    // “Roll no is taken” by a restored row is now found by the grid itself, as a duplicate row.
    grid.setServerFaults(new Map())
    grid.setEntered(undefined)
    grid.setNotes([t('restored', { n: entered.rows.length })])
  }, [undone])
}
