import { createServer, isIPv6 } from 'node:net'

/**
 * Where a request came from, as the limits count it. An IPv4 address is one line; of IPv6 everybody has a network of
 * 2^64 addresses, which counts as one. An IPv4 address in the clothes of IPv6 counts as itself. Who
 * has gone before the answer has no address any more.
 */
export function sourceOf(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return mapped
  // The address in its one canonical spelling, then with the zeros that :: stands for
  const [before = '', after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

/** Whether a host, as it stands in an address, is this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host)
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => probe.once('listening', listening))
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
