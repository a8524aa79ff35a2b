import { createServer, isIP, isIPv6 } from 'node:net'

/**
 * Returns the source of a request as the limits count it. An IPv4 address counts as itself, also when written as an
 * IPv6 address. An IPv6 user has a network of 2^64 addresses, so the whole /64 counts as one. If the client has
 * disconnected before the answer, its address is gone.
 */
export function sourceOf(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return mapped
  // The address in canonical spelling, then with the zeros that :: stands for
  const [before = '', after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

/** Whether a host name in an address means this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host)
}

/** Whether a proxy can be trusted by this: an address, a network, or one of Fastify's names for some networks. */
export function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', size, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (size === undefined || (version === 4 && isIP(size) === 4)) return true
  return /^\d+$/.test(size) && Number(size) > 0 && Number(size) <= (version === 6 ? 128 : 32)
}

/** Returns a port of 127.0.0.1 that is currently free. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => probe.once('listening', listening))
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
