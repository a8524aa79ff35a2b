import { createServer, type Server, type Socket } from 'node:net'
import type { Caller, SharedSession } from './embedded-session.ts'

const protocol3 = 196608
const cancelRequest = 80877102
const sslRequest = 80877103
const gssRequest = 80877104

const type = { sync: 0x53, query: 0x51, call: 0x46, flush: 0x48, terminate: 0x58, parse: 0x50 }
const endsUnit = new Set([type.sync, type.query, type.call, type.flush])
/** A message above this is no statement of ours but a mistake; PostgreSQL's own limit is 1 GB. */
const largestMessage = 256 * 1024 * 1024

/**
 * Speaks PostgreSQL's protocol with every connection and hands whole units to the session they share
 * (https://www.postgresql.org/docs/current/protocol-flow.html). Not supported: COPY FROM STDIN, whose data would
 * have to arrive while the single-threaded database waits for it; bulk writes use `insert … select unnest(…)`.
 */
export function serveSession(session: SharedSession): Server {
  return createServer({ noDelay: true }, (socket) => serveConnection(socket, session))
}

function serveConnection(socket: Socket, session: SharedSession): void {
  let buffer: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  let started = false
  let unit: Buffer[] = []
  const statements = new Set<string>()
  const caller: Caller = {
    units: [],
    unfinished: false,
    answer: (bytes) => {
      if (bytes.length > 0 && socket.writable) socket.write(bytes)
    },
    end: (farewell) => {
      socket.end(farewell)
    },
  }

  /** Gives the length of the first message when it is whole, else undefined. */
  function whole(): number | undefined {
    const head = started ? 1 : 0
    if (buffer.length < head + 4) return undefined
    const length = head + buffer.readInt32BE(head)
    if (length < head + 4 || length > largestMessage) {
      socket.destroy()
      return undefined
    }
    return buffer.length >= length ? length : undefined
  }

  function start(bytes: Buffer): void {
    const code = bytes.readInt32BE(4)
    if (code === sslRequest || code === gssRequest) socket.write('N')
    else if (code === protocol3) {
      started = true
      caller.units.push(bytes)
      session.ask(caller)
    } else if (code === cancelRequest) socket.end()
    else socket.destroy()
  }

  function take(bytes: Buffer): void {
    const kind = bytes[0] ?? 0
    if (kind === type.terminate) {
      socket.end()
      return
    }
    if (kind === type.parse) statements.add(bytes.toString('utf8', 5, bytes.indexOf(0, 5)))
    unit.push(bytes)
    if (!endsUnit.has(kind)) return
    caller.unfinished = kind === type.flush
    caller.units.push(unit.length === 1 ? bytes : Buffer.concat(unit))
    unit = []
    session.ask(caller)
  }

  socket.on('data', (data: Buffer) => {
    buffer = buffer.length === 0 ? data : Buffer.concat([buffer, data])
    for (let length = whole(); length !== undefined; length = whole()) {
      const bytes = buffer.subarray(0, length)
      buffer = buffer.subarray(length)
      if (started) take(bytes)
      else start(bytes)
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    statements.delete('')
    void session.leave(caller, statements)
  })
}
