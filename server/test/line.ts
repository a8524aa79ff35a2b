import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from './database.ts'

/** A line to a database that can be cut. */
export interface Line {
  /** The address of the database by way of it */
  url: string
  /** Every connection breaks, and new ones are refused. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/** A line to the database of this address, on a port or a socket of this machine; gone when the tests have ended. */
export async function aLine(database: string): Promise<Line> {
  const url = new URL(database)
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  const folder = url.searchParams.get('host') ?? ''
  const target = folder.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder || url.hostname, port }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
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
  const listen = async (own: number) => {
    server.listen(own, '127.0.0.1')
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
  url.search = ''
  url.host = `127.0.0.1:${address.port}`
  atEnd(cut)
  return { url: url.href, cut, mend: () => listen(address.port) }
}
