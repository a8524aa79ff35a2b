import type { RowCatalogue } from '@podium/contract/students/rules-row'
import {
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import type { GridFault } from './grid-check.ts'
import { gridFields, moveTo, type Place, selectedBlock, writeCell } from './grid-sheet.ts'
import { GridRow } from './row.tsx'
import type { Grid } from './use-grid.ts'
import { useGridClip, useGridKeys } from './use-keys.ts'
import { gridWords, useGridHint, useGridLabels } from './words.ts'

const extraRows = 6
const isTouch = () => matchMedia('(pointer: coarse)').matches

/**
 * Computes which rows are visible in the scrolling box, with some more around them and always the row with the
 * cursor.
 */
function useRowWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  isTall: (row: number) => boolean,
  cursor: number,
) {
  const [viewport, setViewport] = useState({ top: 0, height: 700 })
  const [sizes] = useState(() => (isTouch() ? { plain: 44, tall: 76 } : { plain: 34, tall: 64 }))
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setViewport({ top: element.scrollTop, height: element.clientHeight })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      watch.disconnect()
    }
  }, [box])
  const offsets = useMemo(() => {
    const all = [0]
    for (let row = 0; row < count; row++) all.push((all[row] ?? 0) + (isTall(row) ? sizes.tall : sizes.plain))
    return all
  }, [count, isTall, sizes])
  const offset = (row: number) => offsets[row] ?? 0
  const first = Math.max(0, offsets.findIndex((end) => end > viewport.top) - 1 - extraRows)
  const end = offsets.findIndex((start) => start > viewport.top + viewport.height)
  const last = Math.min(count, (end === -1 ? count : end) + extraRows)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, offsetInView) => first + offsetInView)
  if (cursor < first) shown.unshift(cursor)
  else if (cursor >= last && cursor < count) shown.push(cursor)
  return {
    shown,
    /** Height of the rows from `from` up to, not including, `to` */
    between: (from: number, to: number) => offset(to) - offset(from),
    heightOf: (row: number) => (isTall(row) ? sizes.tall : sizes.plain),
    /** Whether the row is so low that the tip has more room above it */
    isLow: (row: number) => offset(row) - viewport.top > viewport.height * 0.55,
  }
}

interface GridTableProps {
  season: string
  grid: Grid
  catalogue: RowCatalogue
  box: RefObject<HTMLDivElement | null>
}

const nameColumn = gridFields.indexOf('studentName')
/** From this column on the tip opens to the left, as there is no room on the right. */
const firstRightColumn = 7

/**
 * The visible rows as a table with the role `grid`: screen readers name row and column, the cell with the cursor has
 * the focus.
 */
export function GridTable({ season, grid, catalogue, box }: GridTableProps) {
  const t = gridWords.use()
  const translate = useSentences()
  const labels = useGridLabels()
  const hintOf = useGridHint(grid, catalogue)
  const { sheet, checked, editing } = grid
  const keys = useGridKeys(grid)
  const clip = useGridClip(grid)
  const focus = useGridFocus(box, grid, () => keys.work(false))
  const isTall = useCallback((row: number) => (checked.rows.get(row)?.faults.length ?? 0) > 0, [checked])
  const rows = useRowWindow(box, sheet.rows.length, isTall, sheet.cursor.row)
  const block = selectedBlock(sheet)
  const dragging = useRef(false)

  const placeOf = (target: EventTarget): Place | undefined => {
    if (!(target instanceof Element)) return undefined
    const [row, column] = target.closest('[data-at]')?.getAttribute('data-at')?.split(':').map(Number) ?? []
    return row === undefined || column === undefined ? undefined : { row, column }
  }
  const finishEditing = (text: string) => {
    if (editing) grid.commit(editing, text)
  }
  const press = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof HTMLInputElement || event.button !== 0) return
    const field = box.current?.querySelector<HTMLInputElement>('input.gr-in')
    const finish = (step: Parameters<Grid['applyStep']>[0]) =>
      grid.applyStep((now) => step(field && editing ? writeCell(now, editing, field.value.trim()) : now))
    const head = event.target instanceof Element ? event.target.closest('[data-row]') : null
    if (head) {
      const row = Number(head.getAttribute('data-row'))
      const from = event.shiftKey ? sheet.cursor.row : row
      grid.requestFocus()
      event.preventDefault()
      return finish((now) =>
        moveTo(moveTo(now, { row: from, column: 0 }), { row, column: gridFields.length - 1 }, true),
      )
    }
    const place = placeOf(event.target)
    if (!place) return
    event.preventDefault()
    dragging.current = true
    grid.requestFocus()
    keys.work(true)
    const isSamePlace = place.row === sheet.cursor.row && place.column === sheet.cursor.column
    if (isSamePlace && !editing && matchMedia('(pointer: coarse)').matches) return grid.edit()
    finish((now) => moveTo(now, place, event.shiftKey))
  }
  const drag = (event: MouseEvent<HTMLElement>) => {
    if (event.buttons !== 1) dragging.current = false
    const place = dragging.current ? placeOf(event.target) : undefined
    if (place && (place.row !== sheet.corner.row || place.column !== sheet.corner.column))
      grid.go(place, true)
  }

  const faults = grid.faultsAt(sheet.cursor)
  const written = sheet.rows[sheet.cursor.row]?.[sheet.cursor.column] ?? ''
  const tip = (
    <GridTip
      faults={faults}
      suggestions={grid.suggestionsAt(sheet.cursor)}
      // A good value needs none, which would only cover the rows below.
      hint={written === '' || editing || faults.length > 0 ? hintOf(sheet.cursor) : undefined}
      opensUp={rows.isLow(sheet.cursor.row)}
      opensLeft={sheet.cursor.column >= firstRightColumn}
      sameCount={grid.similarRowsAt(sheet.cursor).length}
      onAccept={(position) => grid.accept(sheet.cursor, position)}
      onAcceptInAll={() => grid.acceptInAll(sheet.cursor)}
    />
  )
  let before = 0
  const gap = (to: number) => rows.between(before, to)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what happens in the grid bubbles up to the box that scrolls
    <div
      className="gr-box"
      ref={box}
      onKeyDown={keys.onKeyDown}
      onCopy={clip.onCopy}
      onCut={clip.onCut}
      onPaste={clip.onPaste}
      onMouseDown={press}
      onMouseOver={drag}
      onDoubleClick={(event) => placeOf(event.target) && !editing && grid.edit()}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells can be edited
        role="grid"
        className="gr"
        aria-label={t('label', { season })}
        aria-describedby="gr-how"
        aria-rowcount={sheet.rows.length + 1}
        aria-colcount={gridFields.length + 1}
        aria-multiselectable="true">
        <colgroup>
          <col className="gr-c-no" />
          {gridFields.map((field) => (
            <col key={field} className={`gr-c-${field}`} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" aria-colindex={1}>
              <span className="sr">{t('rowNo')}</span>
            </th>
            {labels.map((label, column) => (
              <th
                key={label}
                scope="col"
                aria-colindex={column + 2}
                className={column === nameColumn ? 'gr-name' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.shown.flatMap((index) => {
            const row = sheet.rows[index]
            if (!row) return []
            const skipped = gap(index)
            before = index + 1
            const here = sheet.cursor.row === index
            const inside = index >= block.top && index <= block.bottom
            const name = row[nameColumn]?.trim()
            return [
              ...(skipped > 0 ? [<SpacerRow key={`to ${index}`} height={skipped} />] : []),
              <GridRow
                key={index}
                index={index}
                row={row}
                height={rows.heightOf(index)}
                checked={checked.rows.get(index)}
                labels={labels}
                name={name ? t('rowOf', { n: index + 1, name }) : t('rowName', { n: index + 1 })}
                translate={translate}
                cursor={here ? sheet.cursor.column : -1}
                left={inside ? block.left : 1}
                right={inside ? block.right : 0}
                editing={editing?.row === index ? editing : undefined}
                tip={here ? tip : undefined}
                onDone={here ? finishEditing : doNothing}
              />,
            ]
          })}
          {gap(sheet.rows.length) > 0 && <SpacerRow height={gap(sheet.rows.length)} />}
        </tbody>
      </table>
    </div>
  )
}

const doNothing = () => undefined

/** Takes the space of the rows out of sight. */
function SpacerRow({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
    <tr aria-hidden="true" className="gr-gap">
      <td colSpan={gridFields.length + 1} style={{ height }} />
    </tr>
  )
}

/**
 * Keeps the focus on the cell with the cursor while the grid has it, and scrolls it into view, or the far end of a selection
 * while it is extended; not after a paste, whose first row keeps the focus.
 */
function useGridFocus(
  box: RefObject<HTMLElement | null>,
  { sheet, editing, focusRequests }: Grid,
  onLeft: () => void,
) {
  const inside = useRef(false)
  const handledRequests = useRef(focusRequests)
  const seenRows = useRef(sheet.rows)
  const { row, column } = sheet.cursor
  const { row: toRow, column: toColumn } = sheet.corner
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the cursor
  useLayoutEffect(() => {
    if (!inside.current && handledRequests.current === focusRequests) return
    handledRequests.current = focusRequests
    const cell = box.current?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)
    const field = cell?.querySelector('input')
    const target = field ?? cell
    if (target && document.activeElement !== target) target.focus({ preventScroll: true })
    const corner =
      seenRows.current === sheet.rows &&
      box.current?.querySelector<HTMLElement>(`[data-at="${toRow}:${toColumn}"]`)
    seenRows.current = sheet.rows
    const shown = corner || cell
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [box, row, column, toRow, toColumn, editing, sheet.rows, focusRequests])
  return {
    onFocus: () => {
      inside.current = true
    },
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: HTMLElement }) => {
      // A removed field leaves the focus nowhere: the cell below takes it at once.
      const next = event.relatedTarget
      if (!(next instanceof Node) || event.currentTarget.contains(next)) return
      inside.current = false
      onLeft()
    },
  }
}

interface GridTipProps {
  faults: readonly GridFault[]
  /** Suggested values */
  suggestions: readonly string[]
  /** What the cell takes, if that helps. */
  hint: string | undefined
  opensUp: boolean
  opensLeft: boolean
  /** Number of rows with the same text and the same suggestion */
  sameCount: number
  onAccept: (position: number) => void
  onAcceptInAll: () => void
}

/** The tip at the cell with the cursor: each error in full, suggestions with their keys, or possible values. */
function GridTip({
  faults,
  suggestions,
  hint,
  opensUp,
  opensLeft,
  sameCount,
  onAccept,
  onAcceptInAll,
}: GridTipProps) {
  const t = gridWords.use()
  const translate = useSentences()
  if (faults.length === 0 && !hint) return null
  return (
    <span id="gr-tip" className={['gr-tip', opensUp && 'up', opensLeft && 'left'].filter(Boolean).join(' ')}>
      {faults.map(({ message }) => (
        <b key={message}>{translate(message)}</b>
      ))}
      {suggestions.length > 0 && (
        <span className="gr-better">
          {t('didYouMean')}
          {suggestions.slice(0, 9).map((text, position) => (
            <button
              key={text}
              type="button"
              tabIndex={-1}
              className="gr-take"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onAccept(position)}>
              {text}
              <kbd>{position === 0 ? 'Alt+Enter' : `Alt+${position + 1}`}</kbd>
            </button>
          ))}
          {sameCount > 1 && (
            <button
              type="button"
              tabIndex={-1}
              className="gr-take"
              onMouseDown={(event) => event.preventDefault()}
              onClick={onAcceptInAll}>
              {t('inAll', { text: suggestions[0] ?? '', n: sameCount })}
              <kbd>Alt+Shift+Enter</kbd>
            </button>
          )}
        </span>
      )}
      {hint && suggestions.length === 0 && <span className="hint">{hint}</span>}
    </span>
  )
}
