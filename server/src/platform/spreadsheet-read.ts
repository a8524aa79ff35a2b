// The process that reads one .xlsx (see spreadsheet-process.ts): the file comes in on stdin, the limits as argument,
// one line of JSON per row goes out on stdout.
import { once } from 'node:events'
import { type CellValue, streamXlsxRows } from 'hucre/xlsx'
import yauzl from 'yauzl'
import { Refusal } from './errors.ts'
import type { ReadLine } from './spreadsheet-process.ts'
import { type Cell, checkedRow, type SheetLimits } from './spreadsheet-rows.ts'

async function read(bytes: Buffer, limits: SheetLimits): Promise<void> {
  await unpackOnce(bytes)
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0 })) {
    if (!Number.isSafeInteger(index) || index < 0) throw new Refusal('sheet.damaged')
    const row = checkedRow({ number: index + 1, cells: values.map(cellOf) }, limits)
    if (!row) continue
    const said = {
      n: row.number,
      c: row.cells.map((cell) => (cell instanceof Date ? { day: day(cell) } : cell)),
    }
    if (!say(said)) await once(process.stdout, 'drain')
  }
  say({ end: true })
}

/** Unpacks each part once and throws it away: a part larger than it declared is found here, before it is kept whole. */
async function unpackOnce(bytes: Buffer): Promise<void> {
  const archive = await yauzl.fromBufferPromise(bytes, { validateEntrySizes: true })
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    for await (const _ of await archive.openReadStreamPromise(entry)) {
      // Only its length counts, which yauzl checks.
    }
  }
}

function cellOf(value: CellValue): Cell {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return value ?? null
}

const day = (date: Date) => date.toISOString().slice(0, 10)
const say = (line: ReadLine) => process.stdout.write(`${JSON.stringify(line)}\n`)

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
try {
  await read(Buffer.concat(chunks), JSON.parse(process.argv[2] ?? '{}'))
} catch (thrown) {
  const refusal = thrown instanceof Refusal ? thrown : new Refusal('sheet.damaged')
  say({ code: refusal.code, message: refusal.message })
}
