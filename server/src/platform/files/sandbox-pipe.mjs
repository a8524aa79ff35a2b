// @ts-check
// What the server and its processes that look at files say to each other: lines of JSON, and bytes whose number the line
// before them names. The processes load it too, so it imports nothing of ours.
import { once } from 'node:events'
import { setPriority } from 'node:os'

/** @import { Readable } from 'node:stream' */
/** @import { LookedAt } from './sandbox.ts' */

/** Longer than any row of a spreadsheet that we read. */
const longestLine = 16 * 1024 * 1024

/** Reads lines and bytes off a stream, in their order. */
export class Pipe {
  /** @type {AsyncIterator<Buffer>} */
  #pieces
  /** @type {Buffer} */
  #piece = Buffer.alloc(0)
  #at = 0

  /** @param {Readable} stream */
  constructor(stream) {
    this.#pieces = stream[Symbol.asyncIterator]()
  }

  async #next() {
    const { value, done } = await this.#pieces.next()
    this.#piece = done ? Buffer.alloc(0) : value
    this.#at = 0
    return !done
  }

  /**
   * The next line; undefined where the stream ends before it does.
   * @returns {Promise<string | undefined>}
   */
  async line() {
    const parts = []
    for (let length = 0; length <= longestLine; ) {
      const end = this.#piece.indexOf(10, this.#at)
      const part = this.#piece.subarray(this.#at, end < 0 ? undefined : end)
      parts.push(part)
      if (end >= 0) {
        this.#at = end + 1
        return (parts.length === 1 ? part : Buffer.concat(parts)).toString()
      }
      length += part.length
      if (!(await this.#next())) return undefined
    }
    return undefined
  }

  /**
   * So many bytes; undefined where the stream ends before.
   * @param {number} size
   * @returns {Promise<Buffer | undefined>}
   */
  async take(size) {
    const parts = []
    for (let left = size; left > 0; ) {
      if (this.#at === this.#piece.length && !(await this.#next())) return undefined
      const part = this.#piece.subarray(this.#at, this.#at + left)
      this.#at += part.length
      left -= part.length
      parts.push(part)
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }
}

/** @param {object} line */
export async function say(line) {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
}

/**
 * Looks at one file after the other as they come in on stdin, until it ends. What `look` gives is the last line, its
 * `bytes` follow it. Whatever else it throws ends the process.
 * @param {(question: any, bytes: Buffer) => Promise<LookedAt & { bytes?: Buffer }>} look
 */
export async function lookAtFiles(look) {
  // Whoever calls the server comes before those who sent files.
  setPriority(10)
  const pipe = new Pipe(process.stdin)
  for (let line = await pipe.line(); line !== undefined; line = await pipe.line()) {
    const { size, ...question } = JSON.parse(line)
    const sent = await pipe.take(size)
    if (sent === undefined) return
    const { bytes, ...said } = await look(question, sent)
    await say({ ...said, end: true, size: bytes?.length ?? 0 })
    if (bytes && !process.stdout.write(bytes)) await once(process.stdout, 'drain')
  }
}
