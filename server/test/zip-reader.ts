import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

type Open = (
  bytes: Buffer,
  options: { lazyEntries: boolean },
  done: (error: Error | null, file: ZipFile) => void,
) => void
type Read = (entry: Entry, done: (error: Error | null, content: NodeJS.ReadableStream) => void) => void

/** The files of an archive as a reader that is not ours sees them, which checks sizes, places and names. */
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
