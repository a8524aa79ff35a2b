import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Grid } from './use-grid.ts'

/** The cell with the cursor has the focus while the grid has it, and comes into sight. */
export function useGridFocus(
  box: RefObject<HTMLElement | null>,
  { sheet, editing, pulls }: Grid,
  onLeft: () => void,
) {
  const inside = useRef(false)
  const pulled = useRef(pulls)
  const { row, column } = sheet.at
  const { row: toRow, column: toColumn } = sheet.to
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the cursor
  useLayoutEffect(() => {
    if (!inside.current && pulled.current === pulls) return
    pulled.current = pulls
    const cell = box.current?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)
    const field = cell?.querySelector('input')
    const target = field ?? cell
    if (target && document.activeElement !== target) target.focus({ preventScroll: true })
    const other = box.current?.querySelector<HTMLElement>(`[data-at="${toRow}:${toColumn}"]`)
    const shown = other ?? cell
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [box, row, column, toRow, toColumn, editing, sheet.rows, pulls])
  return {
    onFocus: () => {
      inside.current = true
    },
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: HTMLElement }) => {
      // A field that goes away hands the focus to nobody: the cell below it takes it at once.
      const next = event.relatedTarget
      if (!(next instanceof Node) || event.currentTarget.contains(next)) return
      inside.current = false
      onLeft()
    },
  }
}
