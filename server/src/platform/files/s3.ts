import { Readable } from 'node:stream'
import type { S3ServiceException } from '@aws-sdk/client-s3'
import type { Markers } from '../backup/backup-store.ts'
import { StoreFault } from '../errors.ts'
import type { S3Place } from '../settings.ts'

/** What lies under one prefix of a bucket, each by its name below it. What the store refuses is a {@link StoreFault}. */
export interface Bucket extends Markers {
  /** How an operator calls it: `s3://bucket/prefix` */
  readonly place: string
  /** Writes it whole, over what had the name */
  put(name: string, content: Buffer | string): Promise<void>
  /** The same of a stream of any length, in parts; a half-written one never has its name */
  putStream(name: string, content: Readable): Promise<void>
  /** Undefined where there is none */
  open(name: string): Promise<Readable | undefined>
  has(name: string): Promise<boolean>
  /** Also where there is none */
  drop(name: string): Promise<void>
  /** What has a name that begins so, and when it was written */
  list(beginning: string): AsyncGenerator<{ name: string; at: Date }, void>
}

/** Parts of this size make a content of at most 160 GB, and four of them are in memory. */
const partSize = 16 * 1024 * 1024

const isMissing = (thrown: unknown) =>
  (thrown as S3ServiceException).$metadata?.httpStatusCode === 404 &&
  (thrown as Error).name !== 'NoSuchBucket'

/** The library is loaded by those alone who have a bucket. A store that says nothing for `patience` milliseconds is away. */
export async function openBucket(at: S3Place, patience = 20_000): Promise<Bucket> {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new s3.S3Client({
    region: at.region,
    ...(at.endpoint && { endpoint: at.endpoint, forcePathStyle: true }),
    ...(at.keys && { credentials: at.keys }),
    // Other stores than Amazon's do not know its newer checksums; every piece is signed anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: patience,
      throwOnRequestTimeout: true,
      socketTimeout: patience,
    },
  })
  const Bucket = at.bucket
  const place = `s3://${[at.bucket, at.prefix].filter(Boolean).join('/')}`
  const key = (name: string) => (at.prefix === '' ? name : `${at.prefix}/${name}`)
  const asked = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    answer.catch((thrown: unknown) => {
      throw isMissing(thrown) ? thrown : StoreFault.of(place, thrown)
    })
  /** Undefined where the store says that there is none of this name. */
  const found = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
    asked(answer).catch((thrown: unknown) => {
      if (isMissing(thrown)) return undefined
      throw thrown
    })
  const has = async (name: string) =>
    (await found(client.send(new s3.HeadObjectCommand({ Bucket, Key: key(name) })))) !== undefined
  const put = async (name: string, Body: Buffer | string) => {
    await asked(client.send(new s3.PutObjectCommand({ Bucket, Key: key(name), Body })))
  }
  const drop = async (name: string) => {
    await found(client.send(new s3.DeleteObjectCommand({ Bucket, Key: key(name) })))
  }
  return {
    place,
    has,
    put,
    drop,
    async putStream(name, Body) {
      await asked(new Upload({ client, params: { Bucket, Key: key(name), Body }, partSize }).done())
    },
    async open(name) {
      const answer = await found(client.send(new s3.GetObjectCommand({ Bucket, Key: key(name) })))
      if (answer && !(answer.Body instanceof Readable)) throw new Error(`${place}/${name} has no content`)
      return answer?.Body as Readable | undefined
    },
    async *list(beginning) {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix: key(beginning) })
      try {
        for await (const page of pages)
          for (const { Key = '', LastModified = new Date() } of page.Contents ?? [])
            yield { name: Key.slice(key('').length), at: LastModified }
      } catch (thrown) {
        throw StoreFault.of(place, thrown)
      }
    },
    mark: (id, text) => put(`instances/${id}`, text),
    marked: (id) => has(`instances/${id}`),
    unmark: (id) => drop(`instances/${id}`),
  }
}
