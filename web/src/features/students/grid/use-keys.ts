import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import {
  clearSelection,
  fillDown,
  fillSelection,
  gridFields,
  isBlank,
  moveTo,
  type Place,
  redo,
  selectedBlock,
  undo,
  writeCell,
  writeRows,
} from './grid-sheet.ts'
import { commandOf, tabTarget } from './keys.ts'
import { readHeadings, readPaste, textOf } from './text.ts'
import type { Grid } from './use-grid.ts'
import { gridWords } from './words.ts'

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Handles the keys in the grid and in the field of a cell. */
export function useGridKeys(grid: Grid) {
  const t = gridWords.use()
  /** Tab moves between cells while the user works in the grid; before, and after Esc, it skips the grid */
  const working = useRef(false)
  /** The column where a run of Tabs began: Enter goes to this column in the next row */
  const lineStart = useRef<number>(undefined)
  const { sheet } = grid

  const enterTarget = (step: 1 | -1): Place => ({
    row: sheet.cursor.row + step,
    column: lineStart.current ?? sheet.cursor.column,
  })
  const acceptInAll = () => {
    const n = grid.similarRowsAt(sheet.cursor).length
    const text = grid.acceptInAll(sheet.cursor)
    if (text !== undefined) grid.announce(t('acceptedInAll', { n, text }))
  }
  const accept = (position: number) => {
    const text = grid.accept(sheet.cursor, position)
    if (text !== undefined) grid.announce(t('accepted', { text }))
  }

  const inField = (event: KeyboardEvent<HTMLElement>, field: HTMLInputElement) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (event.nativeEvent.isComposing) return
    working.current = true
    const finish = (to: Place | undefined) => {
      event.preventDefault()
      const { cursor } = sheet
      grid.applyStep((now) => {
        const written = writeCell(now, cursor, field.value.trim())
        return to ? moveTo(written, to) : written
      })
    }
    const step = shiftKey ? -1 : 1
    if (altKey && (key === 'Enter' || /^[1-9]$/.test(key))) {
      event.preventDefault()
      return accept(key === 'Enter' ? 0 : Number(key) - 1)
    }
    if (key === 'Escape') {
      event.preventDefault()
      return grid.stopEditing()
    }
    if (key === 'Enter') {
      const to = enterTarget(step)
      lineStart.current = undefined
      return finish(to)
    }
    if (key === 'Tab') {
      lineStart.current ??= sheet.cursor.column
      return finish(tabTarget(sheet.rows, sheet.cursor, step) ?? sheet.cursor)
    }
    const arrow = arrows[key]
    if (arrow && field.dataset.quick && !shiftKey && !ctrlKey && !metaKey)
      finish({ row: sheet.cursor.row + arrow[0], column: sheet.cursor.column + arrow[1] })
  }

  const inGrid = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey: shift, altKey: alt } = event
    const ctrl = event.ctrlKey || event.metaKey
    const command = commandOf(sheet.rows, sheet.cursor, sheet.corner, { key, ctrl, shift, alt })
    if (!command) return
    if (command.what !== 'tab' && command.what !== 'enter' && command.what !== 'edit')
      lineStart.current = undefined
    if (command.what === 'edit') {
      // The field must exist before the browser types the key into the focused element.
      if (command.text === undefined || key === 'Backspace') event.preventDefault()
      return flushSync(() => grid.edit(command.text))
    }
    if (command.what === 'tab') {
      const to = working.current ? tabTarget(sheet.rows, sheet.cursor, command.step) : undefined
      // After the last cell Tab leaves the grid, as usual.
      if (!to) return
      lineStart.current ??= sheet.cursor.column
      event.preventDefault()
      return grid.go(to)
    }
    event.preventDefault()
    working.current = command.what !== 'leave'
    if (command.what === 'go') grid.go(command.to, command.extend)
    else if (command.what === 'enter') {
      const to = enterTarget(command.step)
      lineStart.current = undefined
      grid.go(to)
    } else if (command.what === 'fault') {
      if (!grid.goToFault(command.step)) grid.announce(t('noFault'))
    } else if (command.what === 'accept') accept(command.which)
    else if (command.what === 'acceptInAll') acceptInAll()
    else if (command.what === 'undo')
      if (sheet.past.length > 0) grid.applyStep(undo, t('undone'))
      else grid.announce(t('nothingToUndo'))
    else if (command.what === 'redo')
      if (sheet.future.length > 0) grid.applyStep(redo, t('redone'))
      else grid.announce(t('nothingToRedo'))
    else if (command.what === 'clear') grid.applyStep(clearSelection, t('cleared'))
    else if (command.what === 'fillDown') grid.applyStep(fillDown, t('filled'))
    else if (command.what === 'all' || command.what === 'row') {
      const all = command.what === 'all'
      grid.applyStep((now) => {
        const from = moveTo(now, { row: all ? 0 : now.cursor.row, column: 0 })
        const to = { row: all ? now.rows.length - 1 : now.cursor.row, column: gridFields.length - 1 }
        return moveTo(from, to, true)
      })
    } else grid.announce(t('left'))
  }

  return {
    /** The user started working in the grid with the mouse, or left it. */
    work: (on: boolean) => {
      working.current = on
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.target instanceof HTMLInputElement) inField(event, event.target)
      else inGrid(event)
    },
  }
}

/** Handles copy, cut and paste, with other programs and within the grid. */
export function useGridClip(grid: Grid) {
  const t = gridWords.use()
  const typing = (event: ClipboardEvent) => event.target instanceof HTMLInputElement

  const copy = (event: ClipboardEvent) => {
    if (typing(event)) return
    event.preventDefault()
    const block = selectedBlock(grid.sheet)
    event.clipboardData.setData('text/plain', textOf(grid.sheet.rows, block))
    const cells = (block.bottom - block.top + 1) * (block.right - block.left + 1)
    grid.announce(t('copied', { n: cells }))
  }

  /** Writes a text into the cells from a place on, and announces the result. */
  const write = (text: string, from: Place, fillsSelection: boolean) => {
    const { rows, headed, unused, dropped } = readPaste(text, from, readHeadings)
    const [first] = rows
    if (!first || (rows.length === 1 && first.size === 0)) return grid.announce(t('nothingPasted'))
    if (fillsSelection && rows.length === 1 && first.size === 1 && !headed)
      grid.applyStep((now) => fillSelection(now, [...first.values()][0] ?? ''), t('pasted', { n: 1 }))
    else grid.applyStep((now) => writeRows(now, from.row, rows), t('pasted', { n: rows.length }))
    const notes = [
      unused.length > 0 &&
        t('unused', {
          names: unused
            .map((column) => (typeof column === 'number' ? t('columnNo', { n: column }) : column))
            .join(', '),
        }),
      dropped > 0 && t('tooMany', { n: dropped }),
    ].filter((note) => note !== false)
    grid.setNotes(notes)
  }

  return {
    /** Adds the rows of a text below those already written. */
    append: (text: string) => {
      const row = grid.sheet.rows.findLastIndex((cells) => !isBlank(cells)) + 1
      write(text, { row, column: 0 }, false)
    },
    onCopy: copy,
    onCut: (event: ClipboardEvent) => {
      if (typing(event)) return
      copy(event)
      grid.applyStep(clearSelection, t('cleared'))
    },
    onPaste: (event: ClipboardEvent) => {
      if (typing(event)) return
      event.preventDefault()
      const { top, left } = selectedBlock(grid.sheet)
      write(event.clipboardData.getData('text/plain'), { row: top, column: left }, true)
    },
  }
}
