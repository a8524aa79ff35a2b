import { Readable } from 'node:stream'
import type { S3ServiceException } from '@aws-sdk/client-s3'
import { type BackupStore, newestFirst } from './backup-store.ts'
import type { S3Place } from './settings.ts'

/** The store can't be used; `message` is one line for the operator, with the store's own name for the fault. */
export class StoreFault extends Error {
  override name = 'StoreFault'
}

function faultOf(place: string, thrown: unknown): StoreFault {
  const { name, message } = thrown as Error
  return new StoreFault(`The store ${place} can't be used: ${name} ${message}`.slice(0, 300), {
    cause: thrown,
  })
}

const isMissing = (thrown: unknown) =>
  (thrown as S3ServiceException).$metadata?.httpStatusCode === 404 &&
  (thrown as Error).name !== 'NoSuchBucket'

/** Parts of this size make a backup of at most 160 GB, and four of them are in memory. */
const partSize = 16 * 1024 * 1024

/** Backups in a bucket of a store that speaks S3. The library is loaded by those alone who have one. */
export async function bucketOfBackups(at: S3Place): Promise<BackupStore> {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new s3.S3Client({
    region: at.region,
    ...(at.endpoint && { endpoint: at.endpoint, forcePathStyle: true }),
    ...(at.keys && { credentials: at.keys }),
    // Other stores than Amazon's do not know its newer checksums; every piece of a backup is signed anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 60_000 },
  })
  const Bucket = at.bucket
  const place = `s3://${[at.bucket, at.prefix].filter(Boolean).join('/')}`
  const key = (name: string) => (at.prefix === '' ? name : `${at.prefix}/${name}`)
  const asked = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    answer.catch((thrown: unknown) => {
      throw isMissing(thrown) ? thrown : faultOf(place, thrown)
    })
  const isThere = (name: string) =>
    asked(client.send(new s3.HeadObjectCommand({ Bucket, Key: key(name) }))).then(
      () => true,
      (thrown: unknown) => {
        if (isMissing(thrown)) return false
        throw thrown
      },
    )
  const drop = (name: string) => asked(client.send(new s3.DeleteObjectCommand({ Bucket, Key: key(name) })))
  const open = async (name: string): Promise<Readable> => {
    const { Body } = await asked(client.send(new s3.GetObjectCommand({ Bucket, Key: key(name) })))
    if (!(Body instanceof Readable)) throw new Error(`${place}/${name} has no content`)
    return Body
  }
  return {
    place,
    locate: (name) => `${place}/${name}`,
    async keep(name, fill, check) {
      try {
        await fill(async (pieces) => {
          const params = { Bucket, Key: key(name), Body: Readable.from(pieces) }
          await asked(new Upload({ client, params, partSize }).done())
        })
        return await check(() => open(name))
      } catch (thrown) {
        await drop(name).catch(() => undefined)
        throw thrown
      }
    },
    open,
    async names() {
      const names: string[] = []
      const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix: key('podium-') })
      try {
        for await (const page of pages)
          for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(key('').length))
      } catch (thrown) {
        throw faultOf(place, thrown)
      }
      return newestFirst(names)
    },
    async remove(name) {
      try {
        if (!(await isThere(name))) return false
        await drop(name)
        return true
      } catch {
        return false
      }
    },
    async mark(id, text) {
      await asked(client.send(new s3.PutObjectCommand({ Bucket, Key: key(`instances/${id}`), Body: text })))
    },
    marked: (id) => isThere(`instances/${id}`),
    async unmark(id) {
      await drop(`instances/${id}`)
    },
  }
}
