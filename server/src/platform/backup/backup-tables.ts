import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PoolClient } from 'pg'

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
class ByteReader {
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

/** Rows of tables as text, exactly as PostgreSQL writes and reads each type, on either database. */

/** A table as a backup keeps it. */
export interface TableShape {
  table: string
  columns: string[]
}

/** How many rows there are and a sum over them that does not depend on their order. */
export interface TableSum {
  rows: number
  sum: string
}

/** What nobody wants back: sign-ins, proofs of a moment, counted tries, copies, who runs. Migrations write their own record. */
const leftOut = [
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

/** All tables that are kept, with the columns that are not computed. */
export async function keptTables(client: PoolClient): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all($1::text[])
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [leftOut],
  )
  return rows
}

/** A sum over rows in any order: the hash of each, added up. */
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

/** The rows of a table, some at a time, each as a JSON array of texts. In a transaction alone. */
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

/** Writes rows of a backup into a table of the same columns. */
export async function insertRows(
  client: PoolClient,
  { table, columns }: TableShape,
  types: ReadonlyMap<string, string>,
  rows: readonly string[],
): Promise<void> {
  const values = columns.map((column, at) => {
    const type = types.get(column)
    if (type === undefined) throw new Error(`The table ${table} has no column ${column}`)
    return `(r->>${at})::${type}`
  })
  await client.query(
    `insert into ${name(table)} (${columns.map(name).join(', ')}) overriding system value
     select ${values.join(', ')} from json_array_elements($1::json) as t (r)`,
    [`[${rows.join(',')}]`],
  )
}

/** Type of each column of each table, as SQL spells it. */
export async function columnTypes(client: PoolClient): Promise<Map<string, Map<string, string>>> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  )
  const types = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows) {
    const known = types.get(table) ?? new Map<string, string>()
    types.set(table, known.set(column, type))
  }
  return types
}

/** Where each counter of numbers stands; one that was never used is not named. */
export async function sequences(client: PoolClient): Promise<Array<{ name: string; value: string }>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by sequencename`,
  )
  return rows
}

/**
 * Empties all kept tables and does some work on them without foreign keys and triggers, which are there again after
 * it. In a transaction: where the work leaves a row that points to nothing, all of it is undone.
 */
export async function withoutRules(client: PoolClient, work: () => Promise<void>): Promise<void> {
  const keys = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as rule
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  const tables = (await keptTables(client)).map(({ table }) => name(table))
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

/** The inside of a backup, in its order. */
export type Entry =
  | { kind: 'start'; madeAt: string; migrations: Array<{ name: string; sha256: string }> }
  | ({ kind: 'table' } & TableShape)
  | { kind: 'rows'; rows: string[] }
  | { kind: 'sequence'; name: string; value: string }
  | { kind: 'file'; sha256: string; content: Buffer }
  | { kind: 'end'; tables: Record<string, TableSum>; files: number; missing: string[] }

const chunkHeadBytes = 5

/** An entry as bytes: its length, whether it is text or the content of a file, and itself. */
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
 * Hands the entries of a backup on, one after the other; throws {@link BackupDamaged} where it is not whole. What `each`
 * throws ends the reading.
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
