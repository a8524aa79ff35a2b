import { useEffect } from 'react'
import { isBlank } from '../grid/grid-sheet.ts'
import type { Grid } from '../grid/use-grid.ts'
import { gridWords } from '../grid/words.ts'
import { useImportProgress } from '../import/progress-state.ts'

/** The rows of an entry that was taken back come into the grid again, above those that were left in it. */
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
    // Whose roll no was said to be taken by one of them is a second row of it now.
    grid.tell(new Map())
    grid.setEntered(undefined)
    grid.note([t('restored', { n: entered.rows.length })])
  }, [undone])
}
