import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

/** A file in an archive. */
export interface ZipEntry {
  /** Path inside the archive, folders with `/` */
  name: string
  content: Buffer
}

const localHead = 0x04034b50
const centralHead = 0x02014b50
const endHead = 0x06054b50
/** Names are UTF-8. */
const utf8 = 0x0800
const version = 20
/** 1 January 1980, the format's first day: the same files always give the same bytes. */
const firstDay = (1 << 5) | 1
const endSize = 22
const centralSize = 46
/** Beyond these limits the format needs its 64-bit form, which is not supported. */
const maxEntries = 65_534
const maxBytes = 0xffff_fffe

function head(signature: number, { name, content }: ZipEntry, crc: number): Buffer {
  const central = signature === centralHead
  const bytes = Buffer.alloc(central ? centralSize : 30)
  bytes.writeUInt32LE(signature, 0)
  // A central header starts with the version that made it.
  let offset = 4
  if (central) offset = bytes.writeUInt16LE(version, offset)
  offset = bytes.writeUInt16LE(version, offset)
  offset = bytes.writeUInt16LE(utf8, offset)
  offset = bytes.writeUInt16LE(0, offset)
  offset = bytes.writeUInt16LE(0, offset)
  offset = bytes.writeUInt16LE(firstDay, offset)
  offset = bytes.writeUInt32LE(crc, offset)
  offset = bytes.writeUInt32LE(content.length, offset)
  offset = bytes.writeUInt32LE(content.length, offset)
  bytes.writeUInt16LE(Buffer.byteLength(name), offset)
  return Buffer.concat([bytes, Buffer.from(name)])
}

function end(entries: number, centralBytes: number, centralAt: number): Buffer {
  if (entries > maxEntries || centralAt + centralBytes > maxBytes)
    throw new RangeError('too large for one archive')
  const bytes = Buffer.alloc(endSize)
  bytes.writeUInt32LE(endHead, 0)
  bytes.writeUInt16LE(entries, 8)
  bytes.writeUInt16LE(entries, 10)
  bytes.writeUInt32LE(centralBytes, 12)
  bytes.writeUInt32LE(centralAt, 16)
  return bytes
}

/**
 * Makes an archive of a few files, uncompressed: PDFs are compressed already. For many files, make several archives and
 * join them while sending (docs/decisions/0012).
 */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const crc = crc32(entry.content)
    const local = head(localHead, entry, crc)
    const listed = head(centralHead, entry, crc)
    listed.writeUInt32LE(offset, 42)
    files.push(local, entry.content)
    central.push(listed)
    offset += local.length + entry.content.length
  }
  const list = Buffer.concat(central)
  return Buffer.concat([...files, list, end(entries.length, list.length, offset)])
}

/** Returns the size of archives of these sizes when joined: the end record occurs once. */
export const joinedSize = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size - endSize, endSize)

/** Joins archives made by `zip` into one while it is read: only one is in memory at a time. */
export async function* joinZips(archives: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  const lists: Buffer[] = []
  let entries = 0
  let written = 0
  for await (const archive of archives) {
    const tail = archive.length - endSize
    const centralAt = archive.readUInt32LE(tail + 16)
    const list = Buffer.from(archive.subarray(centralAt, tail))
    for (let offset = 0; offset < list.length; offset += centralSize + list.readUInt16LE(offset + 28))
      list.writeUInt32LE(list.readUInt32LE(offset + 42) + written, offset + 42)
    lists.push(list)
    entries += archive.readUInt16LE(tail + 10)
    yield archive.subarray(0, centralAt)
    written += centralAt
  }
  const list = Buffer.concat(lists)
  yield list
  yield end(entries, list.length, written)
}

/**
 * Streams archives as one file while it is assembled; an error in the first archive is thrown before the first byte is
 * sent.
 */
export async function zipStream(archives: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await archives.next()
  const all = async function* () {
    if (!first.done) yield first.value
    yield* archives
  }
  return Readable.from(joinZips(all()))
}
