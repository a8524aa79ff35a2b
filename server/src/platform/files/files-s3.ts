import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { StoreFault } from '../errors.ts'
import type { S3Place } from '../settings.ts'
import { ContentMissing, type FileStore, hashed, receive, sha256Of } from './files.ts'
import { openBucket } from './s3.ts'

const folder = 'files/'

/**
 * Sent files in a bucket of a store that speaks S3, each as `files/<sha256>`. What is read is compared with its hash, so
 * nothing but what was put leaves. What needs a path lies in the data folder for so long.
 */
export async function bucketOfFiles(at: S3Place, dataDir: string): Promise<FileStore> {
  const bucket = await openBucket(at)
  const { place, mark, marked, unmark } = bucket
  const nameOf = (sha256: string) => `${folder}${hashed(sha256)}`
  const open = async (sha256: string): Promise<Readable> => {
    const content = await bucket.open(nameOf(sha256))
    if (!content) throw new ContentMissing(sha256)
    return content
  }
  /** What breaks off on its way was the store's doing. */
  const whole = async <Taken>(taken: Promise<Taken>): Promise<Taken> =>
    taken.catch((thrown: unknown) => {
      throw thrown instanceof StoreFault ? thrown : StoreFault.of(place, thrown)
    })
  const refuseOther = (sha256: string, found: string) => {
    if (found !== sha256) throw new StoreFault(`${place}/${nameOf(sha256)} is not what was put there`)
  }
  return {
    place,
    receive: (stream) => receive(dataDir, stream),
    // Always written: a content that is there and that nobody named may be swept away at this moment, being old.
    async put(content) {
      if (Buffer.isBuffer(content)) {
        const sha256 = sha256Of(content)
        await bucket.put(nameOf(sha256), content)
        return { sha256, size: content.length }
      }
      const { path, sha256, size } = content
      await bucket.putStream(nameOf(sha256), createReadStream(path))
      return { sha256, size }
    },
    async read(sha256) {
      const content = await whole(buffer(await open(sha256)))
      refuseOther(sha256, sha256Of(content))
      return content
    },
    async withPath(sha256, use) {
      const received = await whole(receive(dataDir, await open(sha256)))
      try {
        refuseOther(sha256, received.sha256)
        return await use(received.path)
      } finally {
        await rm(received.path, { force: true })
      }
    },
    async *before(instant) {
      for await (const { name, at } of bucket.list(folder)) if (at < instant) yield name.slice(folder.length)
    },
    remove: (sha256) => bucket.drop(nameOf(sha256)),
    mark,
    marked,
    unmark,
  }
}
