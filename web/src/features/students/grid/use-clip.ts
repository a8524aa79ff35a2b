import type { ClipboardEvent } from 'react'
import { clear, fillAll, selectedBlock, writeRows } from './grid-sheet.ts'
import { headsOf } from './heads.ts'
import { readPaste, textOf } from './text.ts'
import type { Grid } from './use-grid.ts'
import { gridWords } from './words.ts'

/** Copy, cut and paste, with other programs and within the grid. */
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

  /** Puts a text of the clipboard in from the upper left of what is selected; says what became of it. */
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
