import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BackupDamaged, ByteReader, decrypted } from './backup-stream.ts'
import type { TableShape, TableSum } from './backup-tables.ts'

/** The inside of a backup, in its order. */
export type Entry =
  | { kind: 'start'; madeAt: string; migrations: Array<{ name: string; sha256: string }> }
  | ({ kind: 'table' } & TableShape)
  | { kind: 'rows'; rows: string[] }
  | { kind: 'sequence'; name: string; value: string }
  | { kind: 'file'; sha256: string; content: Buffer }
  | { kind: 'end'; tables: Record<string, TableSum>; files: number; missing: string[] }

const headBytes = 5

/** An entry as bytes: its length, whether it is text or the content of a file, and itself. */
export function entryBytes(entry: Entry): Buffer {
  const isFile = entry.kind === 'file'
  const body = isFile
    ? Buffer.concat([Buffer.from(entry.sha256, 'hex'), entry.content])
    : Buffer.from(JSON.stringify(entry))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(body.length)
  head.writeUInt8(isFile ? 1 : 0, 4)
  return Buffer.concat([head, body])
}

/**
 * Hands the entries of a backup on, one after the other; throws {@link BackupDamaged} where it is not whole. What `each`
 * throws ends the reading.
 */
export async function readEntries(
  backup: AsyncIterable<Buffer>,
  secrets: readonly string[],
  each: (entry: Entry) => Promise<void> | void,
): Promise<void> {
  let ended = false
  await pipeline(
    backup,
    (file: AsyncIterable<Buffer>) => decrypted(secrets, file),
    createGunzip(),
    async (content: AsyncIterable<Buffer>) => {
      const reader = new ByteReader(content)
      for (;;) {
        const head = await reader.take(headBytes)
        if (!head) break
        const body = await reader.take(head.readUInt32BE())
        if (!body) throw new BackupDamaged('This backup is cut off: its end is missing.')
        const entry: Entry =
          head.readUInt8(4) === 1
            ? { kind: 'file', sha256: body.subarray(0, 32).toString('hex'), content: body.subarray(32) }
            : JSON.parse(body.toString('utf8'))
        ended = entry.kind === 'end'
        await each(entry)
      }
    },
  )
  if (!ended) throw new BackupDamaged('This backup is cut off: its end is missing.')
}
