import type { PGlite } from '@electric-sql/pglite'

/** One connection's claim to the session: what it has to say, where the answer goes. */
export type Caller = {
  /** Whole messages up to a point where PostgreSQL answers and is ready again. */
  readonly units: Uint8Array[]
  /** After the last unit a portal is still open (Flush without Sync): the session stays with this caller. */
  unfinished: boolean
  answer(bytes: Buffer): void
  /** The session was taken away; PostgreSQL's own words are sent before the end. */
  end(farewell: Buffer): void
}

const query = 0x51
const sync = Uint8Array.of(0x53, 0, 0, 0, 4)

/**
 * The one session of the embedded database, shared by the connections in turn.
 *
 * What is handed over is a unit, all messages from Parse to Sync: message by message, as pglite-socket does it, the
 * Execute of one connection can meet the portal of another and answer with its rows. During a transaction the
 * session belongs to one connection until it ends, at the latest when it has been silent for `idleLimit`
 * milliseconds (PGlite has no timers of its own, so PostgreSQL's setting has no effect in it).
 */
export class SharedSession {
  readonly #database: PGlite
  readonly #idleLimit: number
  readonly #waiting = new Set<Caller>()
  #owner: Caller | undefined
  #idle: NodeJS.Timeout | undefined
  #running = false

  constructor(database: PGlite, idleLimit: number) {
    this.#database = database
    this.#idleLimit = idleLimit
  }

  /** The caller has a unit more to run. */
  ask(caller: Caller): void {
    this.#waiting.add(caller)
    if (!this.#running) void this.#run()
  }

  /** The caller is gone: what it began is rolled back, and `statements` are the names it had prepared. */
  async leave(caller: Caller, statements: Iterable<string>): Promise<void> {
    caller.units.length = 0
    this.#waiting.delete(caller)
    while (this.#running) await new Promise((later) => setImmediate(later))
    this.#running = true
    try {
      if (this.#owner === caller) await this.#rollBack()
      for (const name of statements) await this.#execute(Buffer.concat([closeStatement(name), sync]))
    } finally {
      this.#running = false
    }
    if (this.#waiting.size > 0) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      for (let caller = this.#next(); caller !== undefined; caller = this.#next()) {
        const unit = caller.units.shift()
        // Back to the end of the queue, so that no connection waits for more than one unit of each other.
        this.#waiting.delete(caller)
        if (caller.units.length > 0) this.#waiting.add(caller)
        if (unit === undefined) continue
        clearTimeout(this.#idle)
        caller.answer(await this.#execute(unit))
        this.#keep(caller)
      }
    } finally {
      this.#running = false
    }
  }

  #next(): Caller | undefined {
    if (this.#owner === undefined) return this.#waiting.values().next().value
    return this.#waiting.has(this.#owner) ? this.#owner : undefined
  }

  /** Keeps the session for a caller in the middle of a transaction, else frees it. */
  #keep(caller: Caller): void {
    const busy = this.#database.isInTransaction() || (caller.unfinished && caller.units.length === 0)
    this.#owner = busy ? caller : undefined
    if (busy) this.#idle = setTimeout(() => void this.#takeAway(caller), this.#idleLimit)
  }

  async #takeAway(caller: Caller): Promise<void> {
    if (this.#running || this.#owner !== caller) return
    this.#running = true
    await this.#rollBack()
    this.#running = false
    const waiting = this.#waiting.size > 0 ? ' (others waited: was db used inside a transaction?)' : ''
    caller.end(fatal('25P03', `terminating connection due to idle-in-transaction timeout${waiting}`))
    void this.#run()
  }

  async #rollBack(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#execute(sync)
    if (this.#database.isInTransaction()) await this.#execute(message(query, 'rollback\0'))
    this.#owner = undefined
  }

  async #execute(unit: Uint8Array): Promise<Buffer> {
    const chunks: Buffer[] = []
    // A copy: what is handed over is a view of the database's memory, which the next call overwrites.
    await this.#database.execProtocolRawStream(unit, {
      onRawData: (data) => void chunks.push(Buffer.from(data)),
    })
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  }
}

function message(type: number, body: string): Buffer {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body))
  bytes.writeUInt8(type)
  bytes.writeInt32BE(bytes.length - 1, 1)
  bytes.write(body, 5)
  return bytes
}

function closeStatement(name: string): Buffer {
  return message(0x43, `S${name}\0`)
}

function fatal(code: string, text: string): Buffer {
  return message(0x45, `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
}
