import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { S3ServiceException } from '@aws-sdk/client-s3'
import { newId } from '../auth/secrets.ts'
import { type BackupStore, folderOfBackups, type Markers, newestFirst } from '../backup/backup-store.ts'
import { StoreFault } from '../errors.ts'
import type { S3Place, Settings } from '../settings.ts'
import { ContentMissing, createFileStore, type FileStore, hashed, receive, sha256Of } from './files.ts'

/** Returns the installation's store of backups. */
export async function backupStoreOf({
  backupDir,
  backupBucket,
}: Pick<Settings, 'backupDir' | 'backupBucket'>): Promise<BackupStore> {
  if (!backupBucket) return folderOfBackups(backupDir)
  return bucketOfBackups(backupBucket)
}

/** Returns the installation's store of uploaded files. */
export async function fileStoreOf({
  dataDir,
  filesDir,
  filesBucket,
}: Pick<Settings, 'dataDir' | 'filesDir' | 'filesBucket'>): Promise<FileStore> {
  if (!filesBucket) return createFileStore(dataDir, filesDir)
  return bucketOfFiles(filesBucket, dataDir)
}

/** Writes, finds and deletes a marker: all the permissions that the portal needs in a store. Throws a StoreFault. */
export async function tryStore(store: Markers & { readonly place: string }): Promise<void> {
  const id = `trial-${newId()}`
  await store.mark(id, 'trial\n')
  if (!(await store.marked(id))) throw new StoreFault(`${store.place} does not have what was put there`)
  await store.unmark(id)
}

/** The objects under one prefix of a bucket, by their name after it. The store's errors become a {@link StoreFault}. */
interface Bucket extends Markers {
  /** The operator's name for it: `s3://bucket/prefix` */
  readonly place: string
  /** Writes an object, replacing any with this name */
  put(name: string, content: Buffer | string): Promise<void>
  /** Writes a stream of any length, in parts; an incomplete one never gets its name */
  putStream(name: string, content: Readable): Promise<void>
  /** Undefined if there is none */
  open(name: string): Promise<Readable | undefined>
  has(name: string): Promise<boolean>
  /** Succeeds also if there is none */
  drop(name: string): Promise<void>
  /** Lists objects whose name starts with this, with the time they were written */
  list(beginning: string): AsyncGenerator<{ name: string; at: Date }, void>
}

/** Parts of this size allow contents of up to 160 GB, with four parts in memory. */
const partSize = 16 * 1024 * 1024

const isMissing = (thrown: unknown) =>
  (thrown as S3ServiceException).$metadata?.httpStatusCode === 404 &&
  (thrown as Error).name !== 'NoSuchBucket'

/**
 * Opens a bucket. The library is loaded only if a bucket is used. A store that is silent for `patience` milliseconds
 * counts as unavailable.
 */
export async function openBucket(location: S3Place, patience = 20_000): Promise<Bucket> {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new s3.S3Client({
    region: location.region,
    ...(location.endpoint && { endpoint: location.endpoint, forcePathStyle: true }),
    ...(location.keys && { credentials: location.keys }),
    // Stores other than Amazon's don't support its newer checksums; every part is signed anyway.
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
  const Bucket = location.bucket
  const place = `s3://${[location.bucket, location.prefix].filter(Boolean).join('/')}`
  const key = (name: string) => (location.prefix === '' ? name : `${location.prefix}/${name}`)
  const orStoreFault = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    answer.catch((thrown: unknown) => {
      throw isMissing(thrown) ? thrown : StoreFault.of(place, thrown)
    })
  /** Undefined if the store says that there is none with this name. */
  const orUndefined = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
    orStoreFault(answer).catch((thrown: unknown) => {
      if (isMissing(thrown)) return undefined
      throw thrown
    })
  const has = async (name: string) =>
    (await orUndefined(client.send(new s3.HeadObjectCommand({ Bucket, Key: key(name) })))) !== undefined
  const put = async (name: string, Body: Buffer | string) => {
    await orStoreFault(client.send(new s3.PutObjectCommand({ Bucket, Key: key(name), Body })))
  }
  const drop = async (name: string) => {
    await orUndefined(client.send(new s3.DeleteObjectCommand({ Bucket, Key: key(name) })))
  }
  return {
    place,
    has,
    put,
    drop,
    async putStream(name, Body) {
      await orStoreFault(new Upload({ client, params: { Bucket, Key: key(name), Body }, partSize }).done())
    },
    async open(name) {
      const answer = await orUndefined(client.send(new s3.GetObjectCommand({ Bucket, Key: key(name) })))
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

const folder = 'files/'

/**
 * Opens the store of uploaded files in an S3 bucket, each as `files/<sha256>`. Contents are compared with their hash
 * when read, so only what was stored is ever returned. A content needed as a path is in the data folder meanwhile.
 */
async function bucketOfFiles(location: S3Place, dataDir: string): Promise<FileStore> {
  const bucket = await openBucket(location)
  const { place, mark, marked, unmark } = bucket
  const nameOf = (sha256: string) => `${folder}${hashed(sha256)}`
  const open = async (sha256: string): Promise<Readable> => {
    const content = await bucket.open(nameOf(sha256))
    if (!content) throw new ContentMissing(sha256)
    return content
  }
  /** Treats an interrupted transfer as the store's fault. */
  const whole = async <Taken>(taken: Promise<Taken>): Promise<Taken> =>
    taken.catch((thrown: unknown) => {
      throw thrown instanceof StoreFault ? thrown : StoreFault.of(place, thrown)
    })
  const refuseOther = (sha256: string, actual: string) => {
    if (actual !== sha256) throw new StoreFault(`${place}/${nameOf(sha256)} is not what was put there`)
  }
  return {
    place,
    receive: (stream) => receive(dataDir, stream),
    // Always written, even if it exists: an old content that no row refers to may be swept away at this moment.
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
      for await (const { name, at: writtenAt } of bucket.list(folder))
        if (writtenAt < instant) yield name.slice(folder.length)
    },
    remove: (sha256) => bucket.drop(nameOf(sha256)),
    mark,
    marked,
    unmark,
  }
}

/** Opens the store of backups in an S3 bucket. */
export async function bucketOfBackups(location: S3Place): Promise<BackupStore> {
  const bucket = await openBucket(location, 60_000)
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
    async add(name, fill, check) {
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
