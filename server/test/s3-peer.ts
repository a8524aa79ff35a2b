import S3rver from 's3rver'
import type { S3Place } from '../src/platform/settings.ts'
import { atEnd, temporaryFolder } from './database.ts'

export const s3Keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** A real S3-compatible store on this machine; it can stop and come back with its content. */
export class S3Peer {
  readonly #directory = temporaryFolder('podium-bucket-')
  #port = 0
  #running: S3rver | undefined

  async start(): Promise<void> {
    this.#running = new S3rver({
      address: '127.0.0.1',
      port: this.#port,
      silent: true,
      directory: this.#directory,
      configureBuckets: [{ name: 'kept', configs: [] }],
    })
    this.#port = (await this.#running.run()).port
  }

  async stop(): Promise<void> {
    await this.#running?.close()
    this.#running = undefined
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  place(prefix: string): S3Place {
    return { bucket: 'kept', prefix, region: 'us-east-1', endpoint: this.endpoint, keys: s3Keys }
  }
}

/** Starts a store that is stopped when the tests end. */
export async function anS3Peer(): Promise<S3Peer> {
  const peer = new S3Peer()
  await peer.start()
  atEnd(() => peer.stop())
  return peer
}
