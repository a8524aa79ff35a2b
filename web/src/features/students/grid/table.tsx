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
import { gridFields, moveTo, type Place, selectedBlock, write } from './grid-sheet.ts'
import { GridRow } from './row.tsx'
import type { Grid } from './use-grid.ts'
import { useGridClip, useGridKeys } from './use-keys.ts'
import { gridWords, useGridHint, useGridLabels } from './words.ts'

const around = 6
const coarse = () => matchMedia('(pointer: coarse)').matches

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
  const [at, setAt] = useState({ top: 0, height: 700 })
  const [sizes] = useState(() => (coarse() ? { plain: 44, tall: 76 } : { plain: 34, tall: 64 }))
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => setAt({ top: element.scrollTop, height: element.clientHeight })
    look()
    element.addEventListener('scroll', look, { passive: true })
    const watch = new ResizeObserver(look)
    watch.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      watch.disconnect()
    }
  }, [box])
  const offsets = useMemo(() => {
    const all = [0]
    for (let row = 0; row < count; row++) all.push((all[row] ?? 0) + (isTall(row) ? sizes.tall : sizes.plain))
    return all
  }, [count, isTall, sizes])
  const offset = (row: number) => offsets[row] ?? 0
  const first = Math.max(0, offsets.findIndex((end) => end > at.top) - 1 - around)
  const end = offsets.findIndex((start) => start > at.top + at.height)
  const last = Math.min(count, (end === -1 ? count : end) + around)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, one) => first + one)
  if (cursor < first) shown.unshift(cursor)
  else if (cursor >= last && cursor < count) shown.push(cursor)
  return {
    shown,
    /** Height of the rows from `from` up to, not including, `to` */
    between: (from: number, to: number) => offset(to) - offset(from),
    heightOf: (row: number) => (isTall(row) ? sizes.tall : sizes.plain),
    /** Whether the row is so low that the tip has more room above it */
    isLow: (row: number) => offset(row) - at.top > at.height * 0.55,
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
const farRight = 7

/**
 * The visible rows as a table with the role `grid`: screen readers name row and column, the cell with the cursor has
 * the focus.
 */
export function GridTable({ season, grid, catalogue, box }: GridTableProps) {
  const t = gridWords.use()
  const say = useSentences()
  const labels = useGridLabels()
  const hintOf = useGridHint(grid, catalogue)
  const { sheet, checked, editing } = grid
  const keys = useGridKeys(grid)
  const clip = useGridClip(grid)
  const focus = useGridFocus(box, grid, () => keys.work(false))
  const isTall = useCallback((row: number) => (checked.rows.get(row)?.faults.length ?? 0) > 0, [checked])
  const rows = useRowWindow(box, sheet.rows.length, isTall, sheet.at.row)
  const block = selectedBlock(sheet)
  const dragging = useRef(false)

  const placeOf = (target: EventTarget): Place | undefined => {
    if (!(target instanceof Element)) return undefined
    const [row, column] = target.closest('[data-at]')?.getAttribute('data-at')?.split(':').map(Number) ?? []
    return row === undefined || column === undefined ? undefined : { row, column }
  }
  const done = (text: string) => {
    if (editing) grid.commit(editing, text)
  }
  const press = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof HTMLInputElement || event.button !== 0) return
    const field = box.current?.querySelector<HTMLInputElement>('input.gr-in')
    const finish = (step: Parameters<Grid['act']>[0]) =>
      grid.act((now) => step(field && editing ? write(now, editing, field.value.trim()) : now))
    const head = event.target instanceof Element ? event.target.closest('[data-row]') : null
    if (head) {
      const row = Number(head.getAttribute('data-row'))
      const from = event.shiftKey ? sheet.at.row : row
      grid.pull()
      event.preventDefault()
      return finish((now) =>
        moveTo(moveTo(now, { row: from, column: 0 }), { row, column: gridFields.length - 1 }, true),
      )
    }
    const place = placeOf(event.target)
    if (!place) return
    event.preventDefault()
    dragging.current = true
    grid.pull()
    keys.work(true)
    const again = place.row === sheet.at.row && place.column === sheet.at.column
    if (again && !editing && matchMedia('(pointer: coarse)').matches) return grid.edit()
    finish((now) => moveTo(now, place, event.shiftKey))
  }
  const drag = (event: MouseEvent<HTMLElement>) => {
    if (event.buttons !== 1) dragging.current = false
    const place = dragging.current ? placeOf(event.target) : undefined
    if (place && (place.row !== sheet.to.row || place.column !== sheet.to.column)) grid.go(place, true)
  }

  const tip = (
    <GridTip
      faults={grid.faultsAt(sheet.at)}
      better={grid.betterAt(sheet.at)}
      hint={hintOf(sheet.at)}
      up={rows.isLow(sheet.at.row)}
      left={sheet.at.column >= farRight}
      alike={grid.alikeAt(sheet.at).length}
      onAccept={(which) => grid.accept(sheet.at, which)}
      onAcceptInAll={() => grid.acceptInAll(sheet.at)}
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
      onBlur={focus.onBlur}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells can be edited
        role="grid"
        className="gr"
        aria-label={t('label', { season })}
        aria-describedby="gr-how"
        aria-rowcount={sheet.rows.length + 1}
        aria-colcount={gridFields.length + 1}
        aria-multiselectable="true"
      >
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
                className={column === nameColumn ? 'gr-name' : undefined}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.shown.flatMap((at) => {
            const row = sheet.rows[at]
            if (!row) return []
            const skipped = gap(at)
            before = at + 1
            const here = sheet.at.row === at
            const inside = at >= block.top && at <= block.bottom
            const name = row[nameColumn]?.trim()
            return [
              ...(skipped > 0 ? [<Gap key={`to ${at}`} height={skipped} />] : []),
              <GridRow
                key={at}
                at={at}
                row={row}
                height={rows.heightOf(at)}
                checked={checked.rows.get(at)}
                labels={labels}
                name={name ? t('rowOf', { n: at + 1, name }) : t('rowName', { n: at + 1 })}
                say={say}
                cursor={here ? sheet.at.column : -1}
                left={inside ? block.left : 1}
                right={inside ? block.right : 0}
                editing={editing?.row === at ? editing : undefined}
                tip={here ? tip : undefined}
                onDone={here ? done : nothing}
              />,
            ]
          })}
          {gap(sheet.rows.length) > 0 && <Gap height={gap(sheet.rows.length)} />}
        </tbody>
      </table>
    </div>
  )
}

const nothing = () => undefined

/** Takes the space of the rows out of sight. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
    <tr aria-hidden="true" className="gr-gap">
      <td colSpan={gridFields.length + 1} style={{ height }} />
    </tr>
  )
}

/** Keeps the focus on the cell with the cursor while the grid has it, and scrolls the cell into view. */
function useGridFocus(
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
  better: readonly string[]
  /** What the cell takes, if that helps. */
  hint: string | undefined
  up: boolean
  left: boolean
  /** Number of rows with the same text and the same suggestion */
  alike: number
  onAccept: (which: number) => void
  onAcceptInAll: () => void
}

/** The tip at the cell with the cursor: each error in full, suggestions with their keys, or possible values. */
function GridTip({ faults, better, hint, up, left, alike, onAccept, onAcceptInAll }: GridTipProps) {
  const t = gridWords.use()
  const say = useSentences()
  if (faults.length === 0 && !hint) return null
  return (
    <span id="gr-tip" className={['gr-tip', up && 'up', left && 'left'].filter(Boolean).join(' ')}>
      {faults.map(({ message }) => (
        <b key={message}>{say(message)}</b>
      ))}
      {better.length > 0 && (
        <span className="gr-better">
          {t('didYouMean')}
          {better.slice(0, 9).map((text, which) => (
            <button
              key={text}
              type="button"
              tabIndex={-1}
              className="gr-take"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onAccept(which)}
            >
              {text}
              <kbd>{which === 0 ? 'Alt+Enter' : `Alt+${which + 1}`}</kbd>
            </button>
          ))}
          {alike > 1 && (
            <button
              type="button"
              tabIndex={-1}
              className="gr-take"
              onMouseDown={(event) => event.preventDefault()}
              onClick={onAcceptInAll}
            >
              {t('inAll', { text: better[0] ?? '', n: alike })}
              <kbd>Alt+Shift+Enter</kbd>
            </button>
          )}
        </span>
      )}
      {hint && better.length === 0 && <span className="hint">{hint}</span>}
    </span>
  )
}
