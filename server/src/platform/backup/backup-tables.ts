import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PoolClient } from 'pg'

/**
 * The outer format of a backup: a line that identifies it, a salt, and then chunks, each encrypted and authenticated
 * (AES-256-GCM) with a key derived from SECRET. A chunk's number is its nonce, and its last-chunk flag is authenticated
 * too, so that nothing can be changed, omitted, moved or cut off unnoticed.
 */

const magic = Buffer.from('PODIUM BACKUP 1\n')
const saltBytes = 32
const tagBytes = 16
const headBytes = 5
const pieceBytes = 1024 * 1024

/** The file is not a backup, belongs to another SECRET, or is damaged; `message` is one line for the operator. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'
}

const keyOf = (secret: string, salt: Buffer) => Buffer.from(hkdfSync('sha256', secret, salt, 'backup', 32))

function nonceOf(piece: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(piece), 4)
  return nonce
}

/** Encrypts content, chunk by chunk. */
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
  let pending: Buffer[] = []
  let size = 0
  for await (const bytes of content) {
    pending.push(bytes)
    size += bytes.length
    if (size < pieceBytes) continue
    yield piece(Buffer.concat(pending), false)
    pending = []
    size = 0
  }
  yield piece(Buffer.concat(pending), true)
}

/** Reads exact numbers of bytes from a stream. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer[] = []
  #size = 0

  constructor(content: AsyncIterable<Buffer>) {
    this.#source = content[Symbol.asyncIterator]()
  }

  /** Returns the next bytes; undefined if the content ends before them. */
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
 * Decrypts a backup made with one of these secrets; throws {@link BackupDamaged} at the first byte that was changed.
 */
async function* decrypted(secrets: readonly string[], file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
    const { key, plain } = decryptChunk(keys, number, head, sealed)
    keys = [key]
    yield plain
    if (head.readUInt8(4) === 1) break
  }
  if (await reader.take(1)) throw new BackupDamaged('This backup is damaged: something follows its end.')
}

/** Decrypts a chunk and returns it with the key that worked. */
function decryptChunk(keys: readonly Buffer[], number: number, head: Buffer, sealed: Buffer) {
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

/** Rows are stored as text, exactly as PostgreSQL writes and reads each type. */

/** A table in a backup. */
export interface TableShape {
  table: string
  columns: string[]
}

/** The number of rows and a checksum of them that does not depend on their order. */
export interface TableSum {
  rows: number
  sum: string
}

/**
 * Not worth restoring: sessions, short-lived tokens, rate counters, caches, running instances. Migrations write their
 * own record.
 */
const excludedTables = [
  'schema_migrations',
  'sessions',
  'session_tokens',
  'tickets',
  'rate_limits',
  'idempotency_keys',
  'result_lists',
  'instances',
]

const rowsAtOnce = 1_000
const name = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Lists all tables in a backup, with their columns except the generated ones. */
export async function backedUpTables(client: PoolClient): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all($1::text[])
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [excludedTables],
  )
  return rows
}

/** Returns an order-independent checksum of rows: the sum of their hashes. */
export function tableSummer(): { add(row: string): void; result(): TableSum } {
  const lanes = new Uint32Array(8)
  let rows = 0
  return {
    add(row) {
      const hash = createHash('sha256').update(row).digest()
      for (let lane = 0; lane < 8; lane++) lanes[lane] = (lanes[lane] ?? 0) + hash.readUInt32BE(lane * 4)
      rows++
    },
    result: () => ({ rows, sum: Buffer.from(lanes.buffer).toString('hex') }),
  }
}

/** Yields a table's rows in batches, each row as a JSON array of texts. Needs a transaction. */
export async function* rowsOf(client: PoolClient, { table, columns }: TableShape): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${name(column)}::text`).join(', ')
  await client.query(
    `declare kept_rows no scroll cursor for select to_json(array[${texts}]::text[])::text as r from ${name(table)}`,
  )
  for (;;) {
    const { rows } = await client.query<{ r: string }>(`fetch ${rowsAtOnce} from kept_rows`)
    if (rows.length > 0) yield rows.map(({ r }) => r)
    if (rows.length < rowsAtOnce) break
  }
  await client.query('close kept_rows')
}

/** Inserts rows of a backup into a table with the same columns. */
export async function insertRows(
  client: PoolClient,
  { table, columns }: TableShape,
  types: ReadonlyMap<string, string>,
  rows: readonly string[],
): Promise<void> {
  const values = columns.map((column, index) => {
    const type = types.get(column)
    if (type === undefined) throw new Error(`The table ${table} has no column ${column}`)
    return `(r->>${index})::${type}`
  })
  await client.query(
    `insert into ${name(table)} (${columns.map(name).join(', ')}) overriding system value
     select ${values.join(', ')} from json_array_elements($1::json) as t (r)`,
    [`[${rows.join(',')}]`],
  )
}

/** Returns the SQL type of each column of each table. */
export async function columnTypes(client: PoolClient): Promise<Map<string, Map<string, string>>> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  )
  const types = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows) {
    const columns = types.get(table) ?? new Map<string, string>()
    types.set(table, columns.set(column, type))
  }
  return types
}

/** Returns the value of each sequence; unused ones are omitted. */
export async function sequences(client: PoolClient): Promise<Array<{ name: string; value: string }>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by sequencename`,
  )
  return rows
}

/**
 * Empties all backed-up tables and runs `work` without foreign keys and triggers, which are restored afterwards. Needs
 * a transaction: if a row then refers to nothing, everything is rolled back.
 */
export async function withoutConstraints(client: PoolClient, work: () => Promise<void>): Promise<void> {
  const keys = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as rule
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  const tables = (await backedUpTables(client)).map(({ table }) => name(table))
  for (const key of keys.rows)
    await client.query(`alter table ${key.table} drop constraint ${name(key.name)}`)
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${tables.join(', ')}`)
  await work()
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  for (const key of keys.rows)
    await client.query(`alter table ${key.table} add constraint ${name(key.name)} ${key.rule}`)
}

export async function setSequence(client: PoolClient, sequence: string, value: string): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [name(sequence), value])
}

/** The entries inside a backup, in their order. */
export type Entry =
  | { kind: 'start'; madeAt: string; migrations: Array<{ name: string; sha256: string }> }
  | ({ kind: 'table' } & TableShape)
  | { kind: 'rows'; rows: string[] }
  | { kind: 'sequence'; name: string; value: string }
  | { kind: 'file'; sha256: string; content: Buffer }
  | { kind: 'end'; tables: Record<string, TableSum>; files: number; missing: string[] }

const chunkHeadBytes = 5

/** Encodes an entry: its length, whether it is JSON or the content of a file, and the entry itself. */
export function entryBytes(entry: Entry): Buffer {
  const isFile = entry.kind === 'file'
  const body = isFile
    ? Buffer.concat([Buffer.from(entry.sha256, 'hex'), entry.content])
    : Buffer.from(JSON.stringify(entry))
  const head = Buffer.alloc(chunkHeadBytes)
  head.writeUInt32BE(body.length)
  head.writeUInt8(isFile ? 1 : 0, 4)
  return Buffer.concat([head, body])
}

/**
 * Passes the entries of a backup to `each`, one by one; throws {@link BackupDamaged} if it is incomplete. An error
 * thrown by `each` ends the reading.
 */
export async function readEntries(
  backup: AsyncIterable<Buffer>,
  secrets: readonly string[],
  each: (entry: Entry) => Promise<void> | void,
): Promise<void> {
  let ended = false
  await pipeline(
    backup,
    (file: AsyncIterable<Buffer>) => decrypted(secrets, file),
    createGunzip(),
    async (content: AsyncIterable<Buffer>) => {
      const reader = new ByteReader(content)
      for (;;) {
        const head = await reader.take(chunkHeadBytes)
        if (!head) break
        const body = await reader.take(head.readUInt32BE())
        if (!body) throw new BackupDamaged('This backup is cut off: its end is missing.')
        const entry: Entry =
          head.readUInt8(4) === 1
            ? { kind: 'file', sha256: body.subarray(0, 32).toString('hex'), content: body.subarray(32) }
            : JSON.parse(body.toString('utf8'))
        ended = entry.kind === 'end'
        await each(entry)
      }
    },
  )
  if (!ended) throw new BackupDamaged('This backup is cut off: its end is missing.')
}
