import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { unprivileged } from '../server/src/platform/db/embedded-folder.ts'
import { freePort } from '../server/src/platform/http/source.ts'
import { findInPath, findOrInstall, isExecutable } from './machine.ts'

export interface Pooler {
  /** Address of the same database, through the pooler. */
  url: string
  stop: () => Promise<void>
}

/** Returns Debian's pooler, installing it if that takes one command. */
export function findPgBouncer(): string {
  const usual = '/usr/sbin/pgbouncer'
  return findOrInstall('PgBouncer', 'pgbouncer', () =>
    isExecutable(usual) ? usual : findInPath('pgbouncer'),
  )
}

/**
 * Starts a PgBouncer in transaction mode in front of a database, on a free port of 127.0.0.1. It has fewer connections
 * to the database than the instances use, so that they must share them between transactions. It ends with this process,
 * and does not run as root.
 */
export async function startPooler(database: string, connections = 3): Promise<Pooler> {
  const program = findPgBouncer()
  const { hostname, port: target, username, password, pathname } = new URL(database)
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'podium-pgbouncer-'))
  const known = join(folder, 'users')
  const quoted = (text: string) => `"${decodeURIComponent(text).replaceAll('"', '""')}"`
  writeFileSync(known, `${quoted(username)} ${quoted(password)}\n`, { mode: 0o600 })
  if (user) for (const path of [folder, known]) chownSync(path, user.uid, user.gid)
  const port = await freePort()
  writeFileSync(
    join(folder, 'ini'),
    settings({
      ...{ hostname, target: target || '5432', port, known, connections },
      // A database that trusts this machine gives no password to hand on.
      checks: password === '' ? 'trust' : 'scram-sha-256',
    }),
  )
  const shell = spawn('sh', ['-c', keeper, 'podium-pgbouncer', program, folder], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...user,
  })
  const ended = new Promise((exit) => shell.once('exit', exit))
  const stop = async () => {
    shell.stdin?.end()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  for (let tries = 0; tries < 100 && shell.exitCode === null; tries++) {
    if (await answers(url)) return { url, stop }
    await sleep(50)
  }
  const log = join(folder, 'log')
  const output = existsSync(log) ? readFileSync(log, 'utf8') : 'no log was written'
  await stop()
  throw new Error(`PgBouncer did not start:\n${output}`)
}

interface Places {
  hostname: string
  target: string
  port: number
  known: string
  connections: number
  checks: 'trust' | 'scram-sha-256'
}

const settings = ({ hostname, target, port, known, connections, checks }: Places) => `[databases]
* = host=${hostname} port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = ${checks}
auth_file = ${known}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`

/** The shell reads a pipe from us, and ends the pooler when that closes. */
const keeper = `
exec 3<&0
"$1" "$2/ini" >"$2/log" 2>&1 & server=$!
(cat <&3 >/dev/null; kill -INT $server) &
wait $server
`

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
