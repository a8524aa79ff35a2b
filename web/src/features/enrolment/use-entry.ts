import type { AnswerOf } from '@podium/contract/endpoint'
import { checkRows, enterRows } from '@podium/contract/enrolment-grid'
import type { Season } from '@podium/contract/season'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import type { GridFault } from './grid-check.ts'
import { type GridField, isBlank, type Row } from './grid-sheet.ts'
import { rememberImport } from './import-state.ts'
import type { Grid } from './use-grid.ts'

export type CheckedEntry = AnswerOf<typeof checkRows>

/** The rows with their numbers, as the calls take them. */
const sentOf = (rows: readonly Row[]) =>
  rows.flatMap((cells, at) => (isBlank(cells) ? [] : [{ row: at + 1, cells: [...cells] }]))

/** The check on the server, and the entry of the rows that it found good. */
export function useEntry(season: Season, grid: Grid) {
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
      const told = new Map<Row, GridFault[]>()
      for (const { row, field, message, suggestions } of answer.faults) {
        const cells = rows[row - 1]
        const own = grid.checked.rows.get(row - 1)?.faults ?? []
        if (!cells || own.some((one) => one.field === field && one.message === message)) continue
        told.set(cells, [...(told.get(cells) ?? []), { field: field as GridField, message, suggestions }])
      }
      grid.tell(told)
      setFound(answer)
    })

  /** The good rows leave the grid for the list of students; those that are there already leave it, too. */
  const enter = () =>
    attempt(async () => {
      if (!found) return
      const wanted = new Set(found.fresh)
      const entering = sentOf(rows).filter(({ row }) => wanted.has(row))
      const { regAmount, bookAmount } = found
      const { importId } = await call(enterRows, {
        body: { FYear: season, rows: entering, regAmount, bookAmount },
      })
      rememberImport(importId)
      const gone = new Set([...found.fresh, ...found.there.map(({ row }) => row)])
      grid.setEntered({ importId, rows: entering.map(({ cells }) => cells) })
      grid.replace(rows.filter((row, at) => !isBlank(row) && !gone.has(at + 1)))
      grid.forget()
      setFound(undefined)
    })

  return { busy, found, problem, check, enter, close: () => setFound(undefined) }
}
export type Entry = ReturnType<typeof useEntry>
