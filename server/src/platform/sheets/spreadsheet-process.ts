import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { turns } from '../concurrency-limit.ts'
import { Refusal } from '../errors.ts'
import { type Confinement, type LookedAt, type Sandbox, sandbox } from '../files/sandbox.ts'
import {
  bulkLimits,
  type Cell,
  type Excess,
  refusedBy,
  type SheetLimits,
  type SheetRow,
  type SheetSource,
} from './spreadsheet-rows.ts'

/** A row as the process says it. */
export interface RowLine {
  n: number
  c: (string | number | null | { day: string })[]
}

/** Its last line: all rows were read, one goes beyond a limit, or it can't be read or has too much text (`refused`). */
export interface SheetLook extends LookedAt {
  excess?: Excess
}

const code = (name: string) => join(import.meta.dirname, name)

/** The file itself and what is unpacked of it stand beside the process's own objects. */
const besideObjects = 512

export const sheetConfinement = (megabytes: number): Confinement => ({
  kind: 'sheet',
  script: code('spreadsheet-read.mjs'),
  readable: [
    ...['spreadsheet-limits.mjs', '../../../package.json'].map(code),
    join(dirname(fileURLToPath(import.meta.resolve('hucre/xlsx'))), '../..'),
  ],
  addons: false,
  megabytes,
  resident: megabytes + besideObjects,
})

/** Each process may take its memory: many files at once must not take all there is. The office's files have turns of their own. */
const schoolTurn = turns(2, 20)
const officeTurn = turns(2, 4)

/** Processes by the memory that they may take, in MB. */
const readers = new Map<number, Sandbox<RowLine, SheetLook>>()

function readerOf({ megabytes }: SheetLimits): Sandbox<RowLine, SheetLook> {
  const turn = megabytes >= bulkLimits.megabytes ? officeTurn : schoolTurn
  const reader = readers.get(megabytes) ?? sandbox(sheetConfinement(megabytes), turn)
  readers.set(megabytes, reader)
  return reader
}

/**
 * Reads an .xlsx in a process apart (sandbox.ts), with little memory and time: a file of 1.5 kB can be made to fill any
 * memory (docs/security.md, T30). Reading ends with the last row, or when the caller stops asking. Refuses with `sheet.*`, and
 * with `busy` where too many files wait already.
 */
export async function* readXlsxRows(
  source: SheetSource,
  limits: SheetLimits,
): AsyncGenerator<SheetRow, void> {
  const lines = readerOf(limits).look({ limits }, source, limits.seconds * 1000, 'sheet.too_large')
  try {
    while (true) {
      const { done, value } = await lines.next()
      if (!done) {
        yield { number: value.n, cells: value.c.map(cellOf) }
        continue
      }
      if (value.excess) throw refusedBy(value.excess, limits)
      // The process may say anything: only what it can know is believed.
      if (value.refused !== undefined)
        throw new Refusal(value.refused === 'sheet.too_large' ? 'sheet.too_large' : 'sheet.damaged')
      return
    }
  } finally {
    // Who stops in the midst leaves the process, which then ends.
    await lines.return(undefined as never)
  }
}

function cellOf(cell: string | number | null | { day: string }): Cell {
  return typeof cell === 'object' && cell !== null ? new Date(`${cell.day}T00:00:00Z`) : cell
}
