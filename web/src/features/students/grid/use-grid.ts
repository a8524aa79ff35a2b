import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { gridDraftKey, readOwnDraft, saveOwnDraftSoon } from '#shell/own-draft.ts'
import { endsWithTab, signedIn } from '#shell/session.ts'
import { cachedReader, checkSheet, type GridFault, nextFault, type ServerFaults } from './grid-check.ts'
import {
  blankRow,
  gridFields,
  isBlank,
  moveTo,
  newSheet,
  type Place,
  type Row,
  replaceRows,
  type Sheet,
  writeCell,
} from './grid-sheet.ts'

/** Rows that an import entered; if it is undone, they return to the grid. */
interface EnteredRows {
  importId: string
  rows: readonly Row[]
}

interface GridDraft {
  rows: readonly Row[]
  entered?: EnteredRows | undefined
}

const row = z.array(z.string()).check(z.length(blankRow.length))
const draft = z.object({
  rows: z.array(row),
  entered: z.optional(z.object({ importId: z.string(), rows: z.array(row) })),
})

function readGridDraft(season: string): GridDraft {
  const read = z.safeParse(draft, readOwnDraft(gridDraftKey(season)))
  if (!read.success) return { rows: [] }
  // All blank rows are the same object, so nothing is computed for them.
  const { rows, entered } = read.data
  return { rows: rows.map((cells) => (isBlank(cells) ? blankRow : cells)), entered }
}

/** Saves the draft soon; then says false if the device has no space for it. */
function saveGridDraft(season: string, { rows, entered }: GridDraft, then: (isSaved: boolean) => void): void {
  const written = rows.slice(0, rows.findLastIndex((cells) => !isBlank(cells)) + 1)
  const value = written.length === 0 && !entered ? undefined : { rows: written, entered }
  saveOwnDraftSoon(gridDraftKey(season), value, 'session', then)
}

export interface EditedCell extends Place {
  /** Initial text of the field */
  text: string
  /** Started by typing, so that an arrow key ends it, as in a spreadsheet; after F2 it moves within the text */
  startedByTyping: boolean
}

/** The state of a season's grid: texts and their check, cursor, undo, and the draft on the device. */
export function useGrid(season: string, catalogue: RowCatalogue) {
  const [draft] = useState(() => readGridDraft(season))
  const [sheet, setSheet] = useState<Sheet>(() => newSheet(draft.rows))
  const [editing, setEditing] = useState<EditedCell>()
  const [serverFaults, setServerFaults] = useState<ServerFaults>(new Map())
  const [entered, setEntered] = useState<EnteredRows | undefined>(draft.entered)
  const [announcement, announce] = useState('')
  const [notes, setNotes] = useState<readonly string[]>([])
  /** Counts requests to move the focus to the cell with the cursor */
  const [focusRequests, setFocusRequests] = useState(0)
  const requestFocus = () => setFocusRequests((now) => now + 1)
  const read = useMemo(() => cachedReader(catalogue), [catalogue])
  const { rows, typing } = sheet
  const checked = useMemo(
    () => checkSheet(rows, read, serverFaults, typing),
    [rows, read, serverFaults, typing],
  )
  const isDraftSaved = useSavedDraft(season, sheet.rows, entered)

  /** Applies a step that can be undone, with a message for screen readers. */
  const applyStep = (step: (sheet: Sheet) => Sheet, words = '') => {
    setEditing(undefined)
    setSheet(step)
    announce(words)
  }
  const go = (to: Place, extend = false) => applyStep((now) => moveTo(now, to, extend))
  const edit = (text?: string, startedByTyping = text !== undefined) => {
    const { row, column } = sheet.cursor
    setEditing({ row, column, text: text ?? sheet.rows[row]?.[column] ?? '', startedByTyping })
  }
  const commit = (place: Place, text: string) => {
    setEditing(undefined)
    setSheet((now) => writeCell(now, place, text.trim()))
  }
  const goToFault = (step: 1 | -1) => {
    const next = nextFault(checked.faults, sheet.cursor, step)
    if (next) {
      go(next)
      requestFocus()
    }
    return next !== undefined
  }
  const faultsAt = ({ row, column }: Place): readonly GridFault[] =>
    checked.rows.get(row)?.faults.filter(({ field }) => gridFields.indexOf(field) === column) ?? []
  /** Suggestions for a cell, each once, the most likely first */
  const suggestionsAt = (place: Place) => [
    ...new Set(faultsAt(place).flatMap(({ suggestions }) => suggestions)),
  ]
  const accept = (place: Place, position: number): string | undefined => {
    const better = suggestionsAt(place)[position]
    if (better !== undefined) applyStep((now) => writeCell(now, place, better))
    return better
  }
  /** Returns all rows with the same text and first suggestion in this column, including this one. */
  const similarRowsAt = (place: Place): number[] => {
    const [better] = suggestionsAt(place)
    const text = rows[place.row]?.[place.column]
    if (better === undefined) return []
    return checked.faults
      .filter(({ row, column }) => column === place.column && rows[row]?.[column] === text)
      .filter((candidate) => suggestionsAt(candidate)[0] === better)
      .map(({ row }) => row)
  }
  const acceptInAll = (place: Place): string | undefined => {
    const [better] = suggestionsAt(place)
    const sameRows = new Set(similarRowsAt(place))
    if (better === undefined) return undefined
    applyStep((now) => {
      const next = now.rows.map((row, index) => (sameRows.has(index) ? row.with(place.column, better) : row))
      return replaceRows(now, next, place, place)
    })
    return better
  }
  /** Replaces all rows as one step. */
  const replace = (rows: readonly Row[], words = '') =>
    applyStep((now) => replaceRows(now, rows, { row: 0, column: 0 }, { row: 0, column: 0 }), words)

  return {
    sheet,
    read,
    checked,
    editing,
    applyStep,
    go,
    edit,
    stopEditing: () => setEditing(undefined),
    commit,
    goToFault,
    faultsAt,
    suggestionsAt,
    accept,
    similarRowsAt,
    acceptInAll,
    replace,
    announcement,
    announce,
    notes,
    setNotes,
    focusRequests,
    requestFocus,
    /** Clears the undo history */
    clearHistory: () => setSheet((now) => ({ ...now, past: [], future: [] })),
    setServerFaults,
    entered,
    setEntered,
    isDraftSaved,
  }
}
export type Grid = ReturnType<typeof useGrid>

/** Saves what was typed, after a short delay and before the page or the session ends. Returns whether it could. */
function useSavedDraft(season: string, rows: readonly Row[], entered: EnteredRows | undefined): boolean {
  const [isSaved, setSaved] = useState(true)
  const written = useRef({ rows, entered })
  useEffect(() => {
    if (written.current.rows === rows && written.current.entered === entered) return
    written.current = { rows, entered }
    saveGridDraft(season, written.current, setSaved)
  }, [season, rows, entered])
  return isSaved
}

/** Has the browser ask before the tab is closed while rows wait in it: they are gone with it. */
export function useAskBeforeClosing(rows: readonly Row[]): void {
  const hasRows = !rows.every(isBlank)
  useEffect(() => {
    if (!hasRows || !endsWithTab()) return
    const warn = (event: BeforeUnloadEvent) => {
      if (signedIn()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasRows])
}
