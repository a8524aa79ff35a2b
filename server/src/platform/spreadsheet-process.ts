import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Refusal } from './errors.ts'
import {
  bulkLimits,
  type Cell,
  type Excess,
  refusedBy,
  type SheetLimits,
  type SheetRow,
} from './spreadsheet-rows.ts'
import type { SheetSource } from './spreadsheet-source.ts'
import { turns } from './turns.ts'

/** A line from the reading process: a row, its end, or why it stopped. */
export type ReadLine =
  | { n: number; c: (string | number | null | { day: string })[] }
  | { end: true }
  | Excess
  | { code: 'sheet.damaged' }

const script = join(import.meta.dirname, 'spreadsheet-read.mjs')
/** All that the process may read: its code and the packages. */
const readable = [
  script,
  join(import.meta.dirname, 'spreadsheet-limits.mjs'),
  join(import.meta.dirname, '../../package.json'),
  join(dirname(fileURLToPath(import.meta.resolve('hucre/xlsx'))), '../..'),
]

/** What the process is started with: little memory, and no right to other files, to write, to start programs, to the network. */
export function confinement(megabytes: number): string[] {
  return [
    `--max-old-space-size=${megabytes}`,
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ]
}

/** Each process may take its memory: many files at once must not take all there is. The office's files have turns of their own. */
const schoolTurn = turns(2, 20)
const officeTurn = turns(2, 4)

/**
 * Reads an .xlsx in a process of its own, with little memory, little time and no rights: a file of 1.5 kB can be made
 * to fill any memory (threats.md, T30). The process ends with the last row, or when the caller stops asking. Refuses
 * with `busy` where too many files wait already.
 */
export async function* readXlsxRows(
  source: SheetSource,
  limits: SheetLimits,
): AsyncGenerator<SheetRow, void> {
  const end = await (limits.megabytes >= bulkLimits.megabytes ? officeTurn : schoolTurn)()
  try {
    yield* rowsOfProcess(source, limits)
  } finally {
    end()
  }
}

async function* rowsOfProcess(source: SheetSource, limits: SheetLimits): AsyncGenerator<SheetRow, void> {
  const child = spawn(process.execPath, [...confinement(limits.megabytes), script, JSON.stringify(limits)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // It may end before it has read all: the answer tells why.
  pipeline(source.stream(), child.stdin, () => undefined)
  const failed = new Promise<never>((_, reject) => child.on('error', reject))
  failed.catch(() => undefined)
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]()
  let left = limits.seconds * 1000
  try {
    while (true) {
      const began = performance.now()
      const line = await Promise.race([lines.next(), failed, overdue(left)])
      left -= performance.now() - began
      // Out of memory, or out of time
      if (line === undefined || line.done) throw new Refusal('sheet.too_large')
      const said: ReadLine = JSON.parse(line.value)
      if ('end' in said) return
      if ('code' in said) throw 'row' in said ? refusedBy(said, limits) : new Refusal('sheet.damaged')
      yield { number: said.n, cells: said.c.map(cellOf) }
    }
  } finally {
    child.kill('SIGKILL')
  }
}

function cellOf(cell: string | number | null | { day: string }): Cell {
  return typeof cell === 'object' && cell !== null ? new Date(`${cell.day}T00:00:00Z`) : cell
}

function overdue(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, milliseconds))
    timer.unref()
  })
}
