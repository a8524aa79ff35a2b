// @ts-check
// The protocol between the server and its processes that examine files: lines of JSON, and bytes whose number the
// preceding line gives. The processes load it too, so it imports nothing of ours.
import { once } from 'node:events'
import { setPriority } from 'node:os'

/** @import { Readable } from 'node:stream' */
/** @import { InspectionResult } from './sandbox.ts' */

/** Longer than any spreadsheet row that we read. */
const longestLine = 16 * 1024 * 1024

/** Reads lines and bytes from a stream, in order. */
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
   * Returns the next line; undefined if the stream ends first.
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
   * Returns this many bytes; undefined if the stream ends first.
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
 * Examines files one by one as they arrive on stdin, until it ends. `look` returns the last line, followed by its
 * `bytes`. Any other error it throws ends the process.
 * @param {(question: any, bytes: Buffer) => Promise<InspectionResult & { bytes?: Buffer }>} look
 */
export async function lookAtFiles(look) {
  // Answering calls has priority over examining files.
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
