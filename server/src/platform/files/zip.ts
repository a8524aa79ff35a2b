import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

/** A file of an archive. */
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
/** 1 January 1980, the first day that the format knows: the same files give the same bytes. */
const firstDay = (1 << 5) | 1
const endSize = 22
const centralSize = 46
/** From here on the format needs another form of its numbers, which is not written. */
const mostEntries = 65_534
const mostBytes = 0xffff_fffe

function head(signature: number, { name, content }: ZipEntry, crc: number): Buffer {
  const central = signature === centralHead
  const bytes = Buffer.alloc(central ? centralSize : 30)
  bytes.writeUInt32LE(signature, 0)
  // A central head says first by what it was made.
  let at = 4
  if (central) at = bytes.writeUInt16LE(version, at)
  at = bytes.writeUInt16LE(version, at)
  at = bytes.writeUInt16LE(utf8, at)
  at = bytes.writeUInt16LE(0, at)
  at = bytes.writeUInt16LE(0, at)
  at = bytes.writeUInt16LE(firstDay, at)
  at = bytes.writeUInt32LE(crc, at)
  at = bytes.writeUInt32LE(content.length, at)
  at = bytes.writeUInt32LE(content.length, at)
  bytes.writeUInt16LE(Buffer.byteLength(name), at)
  return Buffer.concat([bytes, Buffer.from(name)])
}

function end(entries: number, centralBytes: number, centralAt: number): Buffer {
  if (entries > mostEntries || centralAt + centralBytes > mostBytes)
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
 * An archive of a few files, as they are: PDFs are packed already. For many, make several and join them as they leave
 * (docs/decisions/0012).
 */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const crc = crc32(entry.content)
    const local = head(localHead, entry, crc)
    const listed = head(centralHead, entry, crc)
    listed.writeUInt32LE(at, 42)
    files.push(local, entry.content)
    central.push(listed)
    at += local.length + entry.content.length
  }
  const list = Buffer.concat(central)
  return Buffer.concat([...files, list, end(entries.length, list.length, at)])
}

/** How many bytes archives of these sizes have when they are joined: the end stands there once. */
export const joinedSize = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size - endSize, endSize)

/** Joins archives that `zip` has made into one, as it is read: one of them is in the memory at a time. */
export async function* joinZips(archives: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  const lists: Buffer[] = []
  let entries = 0
  let written = 0
  for await (const archive of archives) {
    const tail = archive.length - endSize
    const centralAt = archive.readUInt32LE(tail + 16)
    const list = Buffer.from(archive.subarray(centralAt, tail))
    for (let at = 0; at < list.length; at += centralSize + list.readUInt16LE(at + 28))
      list.writeUInt32LE(list.readUInt32LE(at + 42) + written, at + 42)
    lists.push(list)
    entries += archive.readUInt16LE(tail + 10)
    yield archive.subarray(0, centralAt)
    written += centralAt
  }
  const list = Buffer.concat(lists)
  yield list
  yield end(entries, list.length, written)
}

/** Archives as one file that leaves as it is put together; what is not there any more is told before its first byte. */
export async function zipStream(archives: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await archives.next()
  const all = async function* () {
    if (!first.done) yield first.value
    yield* archives
  }
  return Readable.from(joinZips(all()))
}
