import type { AnswerOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import { checkRows, enterRows } from '@podium/contract/students/calls-grid'
import { importStatus } from '@podium/contract/students/calls-import'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { endpointQuery } from '#shell/query.ts'
import { takenBy, toldOf } from '../grid/grid-check.ts'
import { isBlank, type Row } from '../grid/grid-sheet.ts'
import type { Grid } from '../grid/use-grid.ts'
import { gridWords } from '../grid/words.ts'
import { rememberImport, useImportProgress } from '../import/progress-state.ts'

export type CheckedEntry = AnswerOf<typeof checkRows>

/** Turns the rows into the numbered rows of the calls. */
const sentOf = (rows: readonly Row[]) =>
  rows.flatMap((cells, at) => (isBlank(cells) ? [] : [{ row: at + 1, cells: [...cells] }]))

/** Checks the rows on the server, then enters the ones it accepted. */
export function useEntry(season: Season, grid: Grid) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<CheckedEntry>()
  const [problem, setProblem] = useState<CallError>()
  const { rows } = grid.sheet

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setFound(undefined)
      setProblem(cause)
    }
    setBusy(false)
  }

  const check = () =>
    attempt(async () => {
      const answer = await call(checkRows, { body: { FYear: season, rows: sentOf(rows) } })
      grid.tell(toldOf(rows, answer.faults, grid.checked))
      setFound(answer)
    })

  /** Entered rows leave the grid for the list of students; rows already in the list leave it, too. */
  const enter = () =>
    attempt(async () => {
      if (!found) return
      const wanted = new Set(found.fresh)
      const entering = sentOf(rows).filter(({ row }) => wanted.has(row))
      const { regAmount, bookAmount } = found
      const progress = await call(enterRows, {
        body: { FYear: season, rows: entering, regAmount, bookAmount },
      })
      const { importId } = progress
      // Entering rows again that were undone reuses the same import, so its cached progress is out of date.
      client.setQueryData(endpointQuery(importStatus, { query: { importId } }).queryKey, progress)
      rememberImport(importId)
      const gone = new Set([...found.fresh, ...found.there.map(({ row }) => row)])
      const left = rows.filter((row, at) => !isBlank(row) && !gone.has(at + 1))
      grid.setEntered({ importId, rows: entering.map(({ cells }) => cells) })
      grid.replace(left)
      grid.tell(
        takenBy(
          rows.filter((_, at) => wanted.has(at + 1)),
          left,
          grid.read,
        ),
      )
      grid.forget()
      // The notes about these rows no longer apply.
      grid.note([])
      setFound(undefined)
      // Then on to the next rows, with the outcome in sight, once the dialog has released the focus.
      setTimeout(() => {
        window.scrollTo({ top: 0 })
        grid.pull()
      })
    })

  /** Removes rows that are already in the list from the grid. */
  const drop = () => {
    const gone = new Set(found?.there.map(({ row }) => row))
    grid.replace(rows.filter((row, at) => !isBlank(row) && !gone.has(at + 1)))
    setFound(undefined)
  }

  return { busy, drop, found, problem, check, enter, close: () => setFound(undefined) }
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
    const left = grid.sheet.rows.filter((row) => !isBlank(row))
    grid.replace([...entered.rows, ...left])
    // “Roll no is taken” by a restored row is now found by the grid itself, as a duplicate row.
    grid.tell(new Map())
    grid.setEntered(undefined)
    grid.note([t('restored', { n: entered.rows.length })])
  }, [undone])
}
