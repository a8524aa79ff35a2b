import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from './database.ts'

/** A line to another server that can be cut. */
export interface Line {
  port: number
  /** Every connection breaks, and new ones are refused. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/** A line of 127.0.0.1 to a server there; gone when the tests have ended. */
export async function aLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the line does not listen')
  const { port } = address
  atEnd(cut)
  return { port, cut, mend: () => listen(port) }
}
