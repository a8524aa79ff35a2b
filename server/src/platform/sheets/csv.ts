import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { Refusal } from '../errors.ts'
import {
  checkedRow,
  type SheetLimits,
  type SheetRow,
  type SheetSource,
  sheetRefusal,
  withoutControls,
} from './spreadsheet-rows.ts'

/**
 * Returns a text file's encoding, of those that spreadsheet programs write: UTF-8 and UTF-16 with or without a byte
 * order mark, Windows-1252. Only the last byte proves UTF-8, so the file is read through once to check.
 */
async function encodingOf(source: SheetSource): Promise<string> {
  const { head } = source
  const zeros = (offset: number) => {
    let count = 0
    const end = Math.min(head.length, 1000)
    for (let index = offset; index < end; index += 2) if (head[index] === 0) count++
    return count > end / 5
  }
  if ((head[0] === 0xff && head[1] === 0xfe) || zeros(1)) return 'utf-16le'
  if ((head[0] === 0xfe && head[1] === 0xff) || zeros(0)) return 'utf-16be'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of source.stream()) decoder.decode(piece as Buffer, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch (thrown) {
    if (thrown instanceof TypeError) return 'windows-1252'
    throw thrown
  }
}

async function* textOf(source: SheetSource): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(await encodingOf(source))
  for await (const piece of source.stream()) yield decoder.decode(piece as Buffer, { stream: true })
  yield decoder.decode()
}

/** Leaves out the blank end of a text: programs write rows that only have a format, and each takes time. */
async function* withoutBlankEnd(texts: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  let blank = ''
  for await (const text of texts) {
    const [filled = ''] = /^[\s\S]*[^ \t\r\n,;|]/.exec(text) ?? []
    if (filled !== '') {
      yield blank + filled
      blank = ''
    }
    blank += text.slice(filled.length)
  }
}

/** Yields a text in chunks; the first has at least this length, unless the whole text is shorter. */
async function* withLead(texts: AsyncGenerator<string, void>, length: number): AsyncGenerator<string, void> {
  let lead = ''
  let led = false
  for await (const text of texts) {
    if (led) yield text
    else {
      lead += text
      led = lead.length >= length
      if (led) yield lead
    }
  }
  if (!led) yield lead
}

const delimiters = [',', ';', '\t', '|']

/** Returns the delimiter that splits the first lines into the most columns, with equal counts; a comma if none does. */
export function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
  let best = ','
  let highest = 0
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const first = counts[0] ?? 0
    const alike = counts.filter((count) => count === first).length / Math.max(counts.length, 1)
    if (first * alike > highest) {
      highest = first * alike
      best = delimiter
    }
  }
  return best
}

/** In characters: as many line breaks keep the server busy for some 20 ms */
const turnLength = 4_096

/**
 * Yields a text in short chunks, and lets other calls be answered between two of them. Refuses a line longer than
 * `longest`: one of nothing but delimiters would become millions of cells.
 */
async function* inTurns(texts: AsyncGenerator<string, void>, longest: number): AsyncGenerator<string, void> {
  let length = 0
  for await (const text of texts)
    for (let offset = 0, end = 0; offset < text.length; offset = end) {
      end = offset + turnLength
      // Not between the halves of an emoji: each chunk is encoded on its own.
      if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end++
      const chunk = text.slice(offset, end)
      for (const [index, line] of chunk.split(/[\r\n]/).entries()) {
        length = line.length + (index === 0 ? length : 0)
        if (length > longest) throw new Refusal('sheet.text_too_long')
      }
      yield chunk
      await turn()
    }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these, other kinds of file do
const notText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g

const leadLength = 100_000

/** How many times the allowed rows there may be with blank ones between others. */
const maxBlank = 4

/**
 * Yields the rows of a CSV file; all cells are text. A row's number is that of its record, as spreadsheet programs show
 * it.
 */
export async function* readCsv(source: SheetSource, limits: SheetLimits): AsyncGenerator<SheetRow, void> {
  const longest = limits.columns * (limits.characters + 3) * 2
  const texts = withLead(withoutBlankEnd(textOf(source)), leadLength)
  const lead = (await texts.next()).value ?? ''
  if (/^\s*(?:<|\{|%PDF)/.test(lead) || lead.slice(0, leadLength).search(notText) >= 0) {
    throw new Refusal('sheet.not_spreadsheet')
  }
  const whole = async function* () {
    yield lead
    yield* texts
  }
  const text = Readable.from(inTurns(whole(), longest), { objectMode: false })
  const parser = text.pipe(
    parse({
      delimiter: guessDelimiter(lead),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: longest,
    }),
  )
  text.on('error', (thrown) => parser.destroy(thrown))
  let number = 0
  try {
    for await (const record of parser) {
      number++
      if (number > maxBlank * limits.rows)
        throw sheetRefusal({ code: 'sheet.too_many_rows', row: number, column: 0 }, limits)
      const cells = (record as string[]).map((cell) => unguarded(withoutControls(cell)).trim())
      const row = checkedRow({ number, cells }, limits)
      if (row) yield row
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    const long = thrown instanceof Error && 'code' in thrown && thrown.code === 'CSV_MAX_RECORD_SIZE'
    throw new Refusal(long ? 'sheet.text_too_long' : 'sheet.damaged')
  } finally {
    text.destroy()
  }
}

/**
 * Where a spreadsheet program would read what follows as a formula: at the start, after the characters that separate
 * cells in other countries, and at the start of a line, because such a program sees our quotes only at the start of a
 * cell; includes full-width, small and typographic signs (docs/security.md, T31). Not a dash alone, our sign for “none”.
 * Apostrophes in front count too, so that `unguarded` returns exactly what was guarded.
 */
const formula =
  /(?<=^|[;\t\r\n])'?(?='*[^\S\t\r\n]*(?:[=+@＝＋＠﹦﹢﹫\t\r]|[-－﹣−‐](?![^\S\t\r\n]*(?:$|[;\t\r\n]))))/g

/**
 * Returns one field of a CSV line. Text is quoted, so any separator is safe; text that starts like a formula gets an
 * apostrophe, which spreadsheet programs take as «this is text». Numbers stay numbers.
 */
export function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'number') return String(value)
  return `"${value.replace(notText, '').replace(formula, "'$&").replaceAll('"', '""')}"`
}

/** Returns a text of a list as it was before `csvField`: an exported list may be imported again. */
export const unguarded = (text: string): string => text.replace(formula, '')
