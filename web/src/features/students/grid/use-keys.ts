import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import {
  clear,
  fillAll,
  fillDown,
  gridFields,
  moveTo,
  type Place,
  redo,
  selectedBlock,
  undo,
  write,
  writeRows,
} from './grid-sheet.ts'
import { asked, tabTarget } from './keys.ts'
import { headsOf, readPaste, textOf } from './text.ts'
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
    row: sheet.at.row + step,
    column: lineStart.current ?? sheet.at.column,
  })
  const takeBack = (which: 'undo' | 'redo') => {
    const steps = which === 'undo' ? sheet.past : sheet.future
    if (steps.length === 0) grid.say(t(which === 'undo' ? 'nothingToUndo' : 'nothingToRedo'))
    else grid.act(which === 'undo' ? undo : redo, t(which === 'undo' ? 'undone' : 'redone'))
  }
  const acceptInAll = () => {
    const n = grid.alikeAt(sheet.at).length
    const text = grid.acceptInAll(sheet.at)
    if (text !== undefined) grid.say(t('acceptedInAll', { n, text }))
  }
  const accept = (which: number) => {
    const text = grid.accept(sheet.at, which)
    if (text !== undefined) grid.say(t('accepted', { text }))
  }

  const inField = (event: KeyboardEvent<HTMLElement>, field: HTMLInputElement) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (event.nativeEvent.isComposing) return
    working.current = true
    const finish = (to: Place | undefined) => {
      event.preventDefault()
      const { at } = sheet
      grid.act((now) => {
        const written = write(now, at, field.value.trim())
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
      lineStart.current ??= sheet.at.column
      return finish(tabTarget(sheet.rows, sheet.at, step) ?? sheet.at)
    }
    const arrow = arrows[key]
    if (arrow && field.dataset.quick && !shiftKey && !ctrlKey && !metaKey)
      finish({ row: sheet.at.row + arrow[0], column: sheet.at.column + arrow[1] })
  }

  const inGrid = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey: shift, altKey: alt } = event
    const ctrl = event.ctrlKey || event.metaKey
    const ask = asked(sheet.rows, sheet.at, sheet.to, { key, ctrl, shift, alt })
    if (!ask) return
    if (ask.what !== 'tab' && ask.what !== 'enter' && ask.what !== 'edit') lineStart.current = undefined
    if (ask.what === 'edit') {
      // The field must exist before the browser types the key into the focused element.
      if (ask.text === undefined || key === 'Backspace') event.preventDefault()
      return flushSync(() => grid.edit(ask.text))
    }
    if (ask.what === 'tab') {
      const to = working.current ? tabTarget(sheet.rows, sheet.at, ask.step) : undefined
      // After the last cell Tab leaves the grid, as usual.
      if (!to) return
      lineStart.current ??= sheet.at.column
      event.preventDefault()
      return grid.go(to)
    }
    event.preventDefault()
    working.current = ask.what !== 'leave'
    if (ask.what === 'go') grid.go(ask.to, ask.extend)
    else if (ask.what === 'enter') {
      const to = enterTarget(ask.step)
      lineStart.current = undefined
      grid.go(to)
    } else if (ask.what === 'fault') {
      if (!grid.goToFault(ask.step)) grid.say(t('noFaults'))
    } else if (ask.what === 'accept') accept(ask.which)
    else if (ask.what === 'acceptInAll') acceptInAll()
    else if (ask.what === 'undo' || ask.what === 'redo') takeBack(ask.what)
    else if (ask.what === 'clear') grid.act(clear, t('cleared'))
    else if (ask.what === 'fillDown') grid.act(fillDown, t('filled'))
    else if (ask.what === 'all' || ask.what === 'row') {
      const all = ask.what === 'all'
      grid.act((now) => {
        const from = moveTo(now, { row: all ? 0 : now.at.row, column: 0 })
        const to = { row: all ? now.rows.length - 1 : now.at.row, column: gridFields.length - 1 }
        return moveTo(from, to, true)
      })
    } else grid.say(t('left'))
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
    grid.say(t('copied', { n: cells }))
  }

  /** Pastes a text from the upper left cell of the selection, and announces the result. */
  const paste = (text: string) => {
    const block = selectedBlock(grid.sheet)
    const from = { row: block.top, column: block.left }
    const { rows, headed, unused, left } = readPaste(text, from, headsOf)
    const [first] = rows
    if (!first || (rows.length === 1 && first.size === 0)) return grid.say(t('nothingPasted'))
    const single = rows.length === 1 && first.size === 1 && !headed
    if (single) grid.act((now) => fillAll(now, [...first.values()][0] ?? ''), t('pasted', { n: 1 }))
    else grid.act((now) => writeRows(now, from.row, rows), t('pasted', { n: rows.length }))
    const notes = [
      unused.length > 0 &&
        t('unused', {
          n: unused.length,
          names: unused.map((one) => (typeof one === 'number' ? t('columnNo', { n: one }) : one)).join(', '),
        }),
      left > 0 && t('tooMany', { n: left }),
    ].filter((note) => note !== false)
    grid.note(notes)
  }

  return {
    paste,
    onCopy: copy,
    onCut: (event: ClipboardEvent) => {
      if (typing(event)) return
      copy(event)
      grid.act(clear, t('cleared'))
    },
    onPaste: (event: ClipboardEvent) => {
      if (typing(event)) return
      event.preventDefault()
      paste(event.clipboardData.getData('text/plain'))
    },
  }
}
