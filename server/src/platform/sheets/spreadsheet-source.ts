import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import yauzl, { type Options, type ZipFile } from 'yauzl'

/** A spreadsheet's bytes, in memory or on the disk: large files are read in pieces and are never whole in memory. */
export interface SheetSource {
  readonly size: number
  /** The first bytes, at most 64 kB. */
  readonly head: Buffer
  /** All bytes from the beginning, as often as asked. */
  stream(): Readable
  archive(options: Options): Promise<ZipFile>
}

const headLength = 65_536
const pieceLength = 65_536

export function sourceOf(bytes: Buffer): SheetSource {
  return {
    size: bytes.length,
    head: bytes.subarray(0, headLength),
    stream: () => Readable.from(pieces(bytes)),
    archive: (options) => yauzl.fromBufferPromise(bytes, options),
  }
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength)
}

/** A file on the disk as a source; rejects where there is none. */
export async function sourceAt(path: string): Promise<SheetSource> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, headLength))
    await file.read(head, 0, head.length, 0)
    return {
      size,
      head,
      stream: () => createReadStream(path),
      archive: (options) => yauzl.openPromise(path, options),
    }
  } finally {
    await file.close()
  }
}

/** Whether these bytes stand anywhere in it. */
export async function holds(source: SheetSource, wanted: Buffer): Promise<boolean> {
  let tail = Buffer.alloc(0)
  for await (const piece of source.stream()) {
    const here = Buffer.concat([tail, piece as Buffer])
    if (here.includes(wanted)) return true
    tail = here.subarray(-wanted.length)
  }
  return false
}
