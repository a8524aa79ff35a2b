import type { AnswerOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { checkRows, enterRows } from '@podium/contract/students/calls-grid'
import { importStatus } from '@podium/contract/students/calls-import'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { endpointQuery } from '#shell/query.ts'
import { rollConflicts, serverFaultsOf } from '../grid/grid-check.ts'
import { isBlank, type Row } from '../grid/grid-sheet.ts'
import type { Grid } from '../grid/use-grid.ts'
import { gridWords } from '../grid/words.ts'
import { rememberImport, useImportProgress } from '../import/progress-state.ts'

export type CheckedEntry = AnswerOf<typeof checkRows>

/** Turns the rows into the numbered rows of the calls. */
const toNumberedRows = (rows: readonly Row[]) =>
  rows.flatMap((cells, index) => (isBlank(cells) ? [] : [{ row: index + 1, cells: [...cells] }]))

/** Checks the rows on the server, then enters the ones it accepted. */
export function useEntry(season: Season, grid: Grid) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [checkedEntry, setCheckedEntry] = useState<CheckedEntry>()
  const [problem, setProblem] = useState<CallError>()
  const { rows } = grid.sheet

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setCheckedEntry(undefined)
      setProblem(cause)
    }
    setBusy(false)
  }

  const check = () =>
    attempt(async () => {
      const answer = await call(checkRows, { body: { FYear: season, rows: toNumberedRows(rows) } })
      grid.setServerFaults(serverFaultsOf(rows, answer.faults, grid.checked))
      setCheckedEntry(answer)
    })

  /** Entered rows leave the grid for the list of students; rows already in the list leave it, too. */
  const enter = () =>
    attempt(async () => {
      if (!checkedEntry) return
      const freshRows = new Set(checkedEntry.fresh)
      const entering = toNumberedRows(rows).filter(({ row }) => freshRows.has(row))
      const { regAmount, bookAmount } = checkedEntry
      const progress = await call(enterRows, {
        body: { FYear: season, rows: entering, regAmount, bookAmount },
      })
      const { importId } = progress
      // Entering rows again that were undone reuses the same import, so its cached progress is out of date.
      client.setQueryData(endpointQuery(importStatus, { query: { importId } }).queryKey, progress)
      rememberImport(importId)
      const enteredRows = new Set([...checkedEntry.fresh, ...checkedEntry.there.map(({ row }) => row)])
      const remaining = rows.filter((row, index) => !isBlank(row) && !enteredRows.has(index + 1))
      grid.setEntered({ importId, rows: entering.map(({ cells }) => cells) })
      grid.replace(remaining)
      grid.setServerFaults(
        rollConflicts(
          rows.filter((_, index) => freshRows.has(index + 1)),
          remaining,
          grid.read,
        ),
      )
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
    const existingRows = new Set(checkedEntry?.there.map(({ row }) => row))
    grid.replace(rows.filter((row, index) => !isBlank(row) && !existingRows.has(index + 1)))
    setCheckedEntry(undefined)
  }

  return { busy, drop, checkedEntry, problem, check, enter, close: () => setCheckedEntry(undefined) }
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
