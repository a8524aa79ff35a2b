import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { readOwnDraft, writeOwnDraft } from '#shell/own-draft.ts'
import { signedIn } from '#shell/session.ts'
import { checkSheet, type GridFault, nextFault, reader, type Told } from './grid-check.ts'
import {
  blankRow,
  change,
  gridFields,
  isBlank,
  moveTo,
  type Place,
  type Row,
  type Sheet,
  sheetOf,
  write,
} from './grid-sheet.ts'

/** Rows that an import entered; if it is undone, they return to the grid. */
interface Entered {
  importId: string
  rows: readonly Row[]
}

interface GridDraft {
  rows: readonly Row[]
  entered?: Entered | undefined
}

const row = z.array(z.string()).check(z.length(blankRow.length))
const draft = z.object({
  rows: z.array(row),
  entered: z.optional(z.object({ importId: z.string(), rows: z.array(row) })),
})

/** One draft per school and season. */
const keyOf = (season: string) => `rows.${signedIn()?.schId ?? 0}.${season}`

function readGridDraft(season: string): GridDraft {
  const read = z.safeParse(draft, readOwnDraft(keyOf(season)))
  if (!read.success) return { rows: [] }
  // All blank rows are the same object, so nothing is computed for them.
  const { rows, entered } = read.data
  return { rows: rows.map((one) => (isBlank(one) ? blankRow : one)), entered }
}

/** Saves the draft; returns false if the device has no space for it. */
function keepGridDraft(season: string, { rows, entered }: GridDraft): boolean {
  const written = rows.slice(0, rows.findLastIndex((one) => !isBlank(one)) + 1)
  const value = written.length === 0 && !entered ? undefined : { rows: written, entered }
  return writeOwnDraft(keyOf(season), value, 'session')
}

export interface Editing extends Place {
  /** Initial text of the field */
  text: string
  /** Started by typing, so that an arrow key ends it, as in a spreadsheet; after F2 it moves within the text */
  quick: boolean
}

const keptAfter = 300

/** The state of a season's grid: texts and their check, cursor, undo, and the draft on the device. */
export function useGrid(season: string, catalogue: RowCatalogue) {
  const [draft] = useState(() => readGridDraft(season))
  const [sheet, setSheet] = useState<Sheet>(() => sheetOf(draft.rows))
  const [editing, setEditing] = useState<Editing>()
  const [told, setTold] = useState<Told>(new Map())
  const [entered, setEntered] = useState<Entered | undefined>(draft.entered)
  const [said, say] = useState('')
  const [notes, note] = useState<readonly string[]>([])
  /** Counts requests to move the focus to the cell with the cursor */
  const [pulls, setPulls] = useState(0)
  const pull = () => setPulls((now) => now + 1)
  const read = useMemo(() => reader(catalogue), [catalogue])
  const { rows, typing } = sheet
  const checked = useMemo(() => checkSheet(rows, read, told, typing), [rows, read, told, typing])
  const kept = useKeeping(season, sheet.rows, entered)

  /** Applies a step that can be undone, with a message for screen readers. */
  const act = (step: (sheet: Sheet) => Sheet, words = '') => {
    setEditing(undefined)
    setSheet(step)
    say(words)
  }
  const go = (to: Place, extend = false) => act((now) => moveTo(now, to, extend))
  const edit = (text?: string, quick = text !== undefined) => {
    const { row, column } = sheet.at
    setEditing({ row, column, text: text ?? sheet.rows[row]?.[column] ?? '', quick })
  }
  const commit = (place: Place, text: string) => {
    setEditing(undefined)
    setSheet((now) => write(now, place, text.trim()))
  }
  const goToFault = (step: 1 | -1) => {
    const next = nextFault(checked.faults, sheet.at, step)
    if (next) {
      go(next)
      pull()
    }
    return next !== undefined
  }
  const faultsAt = ({ row, column }: Place): readonly GridFault[] =>
    checked.rows.get(row)?.faults.filter(({ field }) => gridFields.indexOf(field) === column) ?? []
  /** Suggestions for a cell, each once, the most likely first */
  const betterAt = (place: Place) => [...new Set(faultsAt(place).flatMap(({ suggestions }) => suggestions))]
  const accept = (place: Place, which: number): string | undefined => {
    const better = betterAt(place)[which]
    if (better !== undefined) act((now) => write(now, place, better))
    return better
  }
  /** Returns all rows with the same text and first suggestion in this column, including this one. */
  const alikeAt = (place: Place): number[] => {
    const [better] = betterAt(place)
    const text = rows[place.row]?.[place.column]
    if (better === undefined) return []
    return checked.faults
      .filter(({ row, column }) => column === place.column && rows[row]?.[column] === text)
      .filter((other) => betterAt(other)[0] === better)
      .map(({ row }) => row)
  }
  const acceptInAll = (place: Place): string | undefined => {
    const [better] = betterAt(place)
    const alike = new Set(alikeAt(place))
    if (better === undefined) return undefined
    act((now) => {
      const next = now.rows.map((row, at) => (alike.has(at) ? row.with(place.column, better) : row))
      return change(now, next, place, place)
    })
    return better
  }
  /** Replaces all rows as one step. */
  const replace = (rows: readonly Row[], words = '') =>
    act((now) => change(now, rows, { row: 0, column: 0 }, { row: 0, column: 0 }), words)

  return {
    sheet,
    read,
    checked,
    editing,
    act,
    go,
    edit,
    stopEditing: () => setEditing(undefined),
    commit,
    goToFault,
    faultsAt,
    betterAt,
    accept,
    alikeAt,
    acceptInAll,
    replace,
    said,
    say,
    notes,
    note,
    pulls,
    pull,
    /** Clears the undo history */
    forget: () => setSheet((now) => ({ ...now, past: [], future: [] })),
    tell: setTold,
    entered,
    setEntered,
    kept,
  }
}
export type Grid = ReturnType<typeof useGrid>

/** Saves what was typed, after a short delay and when the user leaves the page. Returns whether it could be saved. */
function useKeeping(season: string, rows: readonly Row[], entered: Entered | undefined): boolean {
  const [kept, setKept] = useState(true)
  const latest = useRef({ rows, entered })
  const written = useRef(latest.current)
  useEffect(() => {
    latest.current = { rows, entered }
    if (written.current.rows === rows && written.current.entered === entered) return
    const keep = () => {
      if (written.current === latest.current) return
      written.current = latest.current
      setKept(keepGridDraft(season, latest.current))
    }
    const timer = setTimeout(keep, keptAfter)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [season, rows, entered])
  useEffect(
    () => () => {
      if (written.current !== latest.current) keepGridDraft(season, latest.current)
    },
    [season],
  )
  return kept
}
