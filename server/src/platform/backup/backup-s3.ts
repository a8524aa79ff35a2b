import { Readable } from 'node:stream'
import { StoreFault } from '../errors.ts'
import { openBucket } from '../files/s3.ts'
import type { S3Place } from '../settings.ts'
import { type BackupStore, newestFirst } from './backup-store.ts'

/** Backups in a bucket of a store that speaks S3. */
export async function bucketOfBackups(at: S3Place): Promise<BackupStore> {
  const bucket = await openBucket(at, 60_000)
  const { place, mark, marked, unmark } = bucket
  const locate = (name: string) => `${place}/${name}`
  const open = async (name: string): Promise<Readable> => {
    const content = await bucket.open(name)
    if (!content) throw new StoreFault(`${locate(name)} is not there any more`)
    return content
  }
  return {
    place,
    locate,
    async keep(name, fill, check) {
      try {
        await fill((pieces) => bucket.putStream(name, Readable.from(pieces)))
        return await check(() => open(name))
      } catch (thrown) {
        await bucket.drop(name).catch(() => undefined)
        throw thrown
      }
    },
    open,
    async names() {
      const names: string[] = []
      for await (const { name } of bucket.list('podium-')) names.push(name)
      return newestFirst(names)
    },
    async remove(name) {
      try {
        if (!(await bucket.has(name))) return false
        await bucket.drop(name)
        return true
      } catch {
        return false
      }
    },
    mark,
    marked,
    unmark,
  }
}
