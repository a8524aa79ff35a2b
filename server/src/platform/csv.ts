import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { Refusal } from './errors.ts'
import { checkedRow, type SheetLimits, type SheetRow } from './spreadsheet-rows.ts'

/** Text of a file in the encodings that spreadsheet programs write: UTF-8 and UTF-16 with or without mark, Windows-1252. */
export function decodeText(bytes: Buffer): string {
  const zeros = (offset: number) => {
    let count = 0
    const end = Math.min(bytes.length, 1000)
    for (let at = offset; at < end; at += 2) if (bytes[at] === 0) count++
    return count > end / 5
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || zeros(1)) return new TextDecoder('utf-16le').decode(bytes)
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || zeros(0)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const delimiters = [',', ';', '\t', '|']

/** The delimiter that cuts the first lines into the most columns, equally many on each; a comma when none does. */
export function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
  let best = ','
  let most = 0
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const first = counts[0] ?? 0
    const alike = counts.filter((count) => count === first).length / Math.max(counts.length, 1)
    if (first * alike > most) {
      most = first * alike
      best = delimiter
    }
  }
  return best
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these, other kinds of file do
const notText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** Rows of a CSV file; all cells are text. The number of a row is that of its record, as spreadsheet programs show it. */
export async function* readCsv(bytes: Buffer, limits: SheetLimits): AsyncGenerator<SheetRow, void> {
  const text = decodeText(bytes)
  if (/^\s*(?:<|\{|%PDF)/.test(text) || notText.test(text.slice(0, 100_000))) {
    throw new Refusal('sheet.not_spreadsheet')
  }
  const longest = limits.columns * (limits.characters + 3) * 2
  const parser = Readable.from(pieces(text)).pipe(
    parse({
      delimiter: guessDelimiter(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: longest,
    }),
  )
  let number = 0
  try {
    for await (const record of parser) {
      number++
      const cells = (record as string[]).map((cell) => cell.trim())
      const row = checkedRow({ number, cells }, limits)
      if (row) yield row
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    const long = thrown instanceof Error && 'code' in thrown && thrown.code === 'CSV_MAX_RECORD_SIZE'
    throw new Refusal(long ? 'sheet.text_too_long' : 'sheet.damaged')
  }
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536)
}

/** What a spreadsheet program would take for a formula, full-width signs included (threats.md, T31). */
const formula = /^[=+\-@\t\r＝＋－＠]/

/**
 * One field of a CSV line. Text that begins like a formula gets an apostrophe before it, which spreadsheet programs
 * take as «this is text»; numbers are numbers and stay.
 */
export function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const guarded = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
