import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The outside of a backup: a line that says what it is, a salt, and then pieces that are each encrypted and signed
 * (AES-256-GCM) with a key made of SECRET. The number of a piece is its nonce and whether it is the last is signed with
 * it, so that nothing can be changed, left out, moved or cut off unnoticed.
 */

const magic = Buffer.from('PODIUM BACKUP 1\n')
const saltBytes = 32
const tagBytes = 16
const headBytes = 5
const pieceBytes = 1024 * 1024

/** The file is no backup, belongs to another SECRET, or is damaged; `message` is one line for the person at the console. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'
}

const keyOf = (secret: string, salt: Buffer) => Buffer.from(hkdfSync('sha256', secret, salt, 'backup', 32))

function nonceOf(piece: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(piece), 4)
  return nonce
}

/** Encrypts what comes, piece by piece. */
export async function* encrypted(secret: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const key = keyOf(secret, salt)
  yield Buffer.concat([magic, salt])
  let number = 0
  const piece = (bytes: Buffer, last: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++))
    const head = Buffer.alloc(headBytes)
    head.writeUInt32BE(bytes.length)
    head.writeUInt8(last ? 1 : 0, 4)
    cipher.setAAD(head)
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([head, sealed, cipher.getAuthTag()])
  }
  let held: Buffer[] = []
  let size = 0
  for await (const bytes of content) {
    held.push(bytes)
    size += bytes.length
    if (size < pieceBytes) continue
    yield piece(Buffer.concat(held), false)
    held = []
    size = 0
  }
  yield piece(Buffer.concat(held), true)
}

/** Takes an exact number of bytes at a time from what comes. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer[] = []
  #size = 0

  constructor(content: AsyncIterable<Buffer>) {
    this.#source = content[Symbol.asyncIterator]()
  }

  /** The next bytes; undefined where the content ends before them. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#size < length) {
      const next = await this.#source.next()
      if (next.done) return undefined
      this.#held.push(next.value)
      this.#size += next.value.length
    }
    const all = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held)
    const rest = all.subarray(length)
    this.#held = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
    return all.subarray(0, length)
  }
}

/**
 * Decrypts a backup that was made with one of these secrets; throws {@link BackupDamaged} at the first byte that is not as
 * it was written.
 */
export async function* decrypted(
  secrets: readonly string[],
  file: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(file)
  const start = await reader.take(magic.length + saltBytes)
  if (!start?.subarray(0, magic.length).equals(magic))
    throw new BackupDamaged('This file is no backup of Podium.')
  const salt = Buffer.from(start.subarray(magic.length))
  let keys: readonly Buffer[] = secrets.map((secret) => keyOf(secret, salt))
  for (let number = 0; ; number++) {
    const head = await reader.take(headBytes)
    const length = head?.readUInt32BE() ?? 0
    const sealed = head && (await reader.take(length + tagBytes))
    if (!head || !sealed) throw new BackupDamaged('This backup is cut off: its end is missing.')
    const { key, plain } = opened(keys, number, head, sealed)
    keys = [key]
    yield plain
    if (head.readUInt8(4) === 1) break
  }
  if (await reader.take(1)) throw new BackupDamaged('This backup is damaged: something follows its end.')
}

/** A piece and the key that opens it. */
function opened(keys: readonly Buffer[], number: number, head: Buffer, sealed: Buffer) {
  for (const key of keys) {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number))
    decipher.setAAD(head)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
    const begun = decipher.update(sealed.subarray(0, sealed.length - tagBytes))
    try {
      return { key, plain: Buffer.concat([begun, decipher.final()]) }
    } catch {
      // Made with another of the secrets, or changed.
    }
  }
  throw new BackupDamaged(
    number === 0
      ? 'This backup was made with another SECRET, or is damaged.'
      : 'This backup is damaged: a part of it is not as it was written.',
  )
}
