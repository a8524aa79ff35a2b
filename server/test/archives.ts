// Archives and workbooks as an attacker would make them to exhaust whoever unpacks them.

import { execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { crc32, deflateRawSync } from 'node:zlib'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { findPdfToText } from '../../scripts/machine.ts'

export interface Part {
  name: string
  content: Buffer | string
  /** The size that the archive claims, if that is a lie */
  declared?: number
  encrypted?: boolean
  /** Not compressed */
  stored?: boolean
}

/** Builds a zip archive byte by byte, as an attacker would. */
export function zip(parts: readonly Part[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  const empty = deflateRawSync('')
  let offset = 0
  for (const { name, content, declared, encrypted, stored } of parts) {
    const bytes = Buffer.from(content)
    const title = Buffer.from(name)
    const packed = stored ? bytes : bytes.length === 0 ? empty : deflateRawSync(bytes, { level: 1 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(encrypted ? 1 : 0, 2)
    fields.writeUInt16LE(stored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declared ?? bytes.length, 18)
    fields.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, title]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** Returns the parts of a workbook around one sheet's XML. */
export function workbook(sheet: string | Buffer, ...more: Part[]): Part[] {
  return [
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Students" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
    ...more,
  ]
}

/** Returns the XML of a sheet with these rows. */
export const sheetOf = (rows: string) =>
  `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`

type Open = (
  bytes: Buffer,
  options: { lazyEntries: boolean },
  done: (error: Error | null, file: ZipFile) => void,
) => void
type Read = (entry: Entry, done: (error: Error | null, content: NodeJS.ReadableStream) => void) => void

/** Reads an archive's files with an independent reader, which checks sizes, offsets and names. */
export async function filesOf(archive: Buffer): Promise<{ name: string; content: Buffer }[]> {
  const file = await promisify(fromBuffer as Open)(archive, { lazyEntries: true })
  const stream = promisify(file.openReadStream.bind(file) as Read)
  const files: { name: string; content: Buffer }[] = []
  const readOne = async (entry: Entry) => {
    const parts: Buffer[] = []
    for await (const part of await stream(entry)) parts.push(Buffer.from(part))
    files.push({ name: entry.fileName, content: Buffer.concat(parts) })
    file.readEntry()
  }
  await new Promise<void>((resolve, reject) => {
    file.on('error', reject).on('end', resolve)
    file.on('entry', (entry: Entry) => void readOne(entry).catch(reject))
    file.readEntry()
  })
  return files
}

/**
 * Returns a PDF's words with single spaces between them. If pdftotext is missing, throws with the command to install
 * it.
 */
export function pdfText(bytes: Buffer): string {
  return pdfLines(bytes).replace(/\s+/g, ' ')
}

/** Returns a PDF's text with its line and page breaks. */
export function pdfLines(bytes: Buffer): string {
  return execFileSync(findPdfToText(), ['-raw', '-', '-'], { input: bytes, encoding: 'utf8' })
}

/** Returns the lines of a PDF's first page with the top and bottom of each, in points, from top to bottom. */
export function pdfLinePlaces(bytes: Buffer): { text: string; top: number; bottom: number }[] {
  const input = { input: bytes, encoding: 'utf8' } as const
  const [page = ''] = execFileSync(findPdfToText(), ['-bbox-layout', '-', '-'], input).split('</page>')
  const lines = page.matchAll(/<line [^>]*yMin="([\d.]+)"[^>]*yMax="([\d.]+)">([\s\S]*?)<\/line>/g)
  return Array.from(lines, ([, top, bottom, words = '']) => ({
    text: words
      .replaceAll(/<[^>]*>/g, ' ')
      .trim()
      .replaceAll(/\s+/g, ' '),
    top: Number(top),
    bottom: Number(bottom),
  })).toSorted((a, b) => a.top - b.top)
}
