import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findOrInstall, inPath, isExecutable, Missing } from './machine.ts'

export interface Cluster {
  /** Connection string of its superuser, database `postgres`. */
  url: string
  /** Ends the server at once and removes its folder. */
  stop: () => Promise<void>
}

export interface ClusterOptions {
  /** Lines for postgresql.conf, as `name = value`; the last of a name counts. */
  settings?: string[]
}

const throwaway = [
  'fsync = off',
  'synchronous_commit = off',
  'full_page_writes = off',
  'max_connections = 200',
]

/**
 * A PostgreSQL cluster of the machine's binaries in a temporary folder, on a free port of 127.0.0.1, with a password
 * of its own. It does not outlive this process, even when that is killed. PostgreSQL refuses to run as root, so root
 * starts it as the user `postgres` or `nobody`. Throws Missing when the machine has no PostgreSQL and can't get one.
 */
export async function startCluster({ settings = [] }: ClusterOptions = {}): Promise<Cluster> {
  const bin = findPostgres()
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'podium-postgres-'))
  const password = randomBytes(16).toString('hex')
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
  if (user) for (const path of [folder, join(folder, 'password')]) chownSync(path, user.uid, user.gid)
  try {
    initialise(bin, folder, user)
    return await started({ bin, folder, user, password, settings })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * A hot standby of a cluster of `startCluster`, which streams from it: a copy of its folder as it is now, on a port of its
 * own. It ends as that one does.
 */
export async function startStandby({ url }: Cluster): Promise<Cluster> {
  const bin = findPostgres()
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'podium-standby-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const { password } = new URL(url)
  try {
    const args = [
      '--dbname',
      url,
      '--pgdata',
      join(folder, 'data'),
      '--write-recovery-conf',
      '--checkpoint=fast',
    ]
    const done = spawnSync(join(bin, 'pg_basebackup'), args, { cwd: folder, encoding: 'utf8', ...user })
    if (done.status !== 0) throw new Error(`pg_basebackup failed: ${done.error?.message ?? done.stderr}`)
    const written = readFileSync(join(folder, 'data/postgresql.auto.conf'), 'utf8')
    const [from = ''] = /^primary_conninfo = .+$/m.exec(written) ?? []
    return await started({ bin, folder, user, password, settings: [from] })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

interface Place {
  bin: string
  folder: string
  user: User | undefined
  password: string
  settings: string[]
}

async function started({ bin, folder, user, password, settings }: Place): Promise<Cluster> {
  const data = join(folder, 'data')
  // The port was free a moment ago; somebody may have taken it since, so there are three tries.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const conf = [...throwaway, ...settings, `port = ${port}`, "listen_addresses = '127.0.0.1'"]
    writeFileSync(join(data, 'postgresql.auto.conf'), `${conf.join('\n')}\nunix_socket_directories = ''\n`)
    const server = serve(bin, folder, user)
    const url = `postgres://podium:${password}@127.0.0.1:${port}/postgres`
    if (await answers(url, server)) return { url, stop: () => stop(server, folder) }
    if (attempt === 3) throw new Error(`the throwaway PostgreSQL did not start:\n${logOf(folder)}`)
  }
}

/** The folder of the machine's newest PostgreSQL. */
export const findPostgres = (): string => dirname(findOrInstall('PostgreSQL', 'postgresql', findInitdb))

function findInitdb(): string | undefined {
  const config = inPath('pg_config')
  const ofConfig = config && spawnSync(config, ['--bindir'], { encoding: 'utf8' }).stdout.trim()
  const newestFirst = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => version(b) - version(a))
  const found = [...newestFirst, ofConfig].flatMap((folder) => (folder ? [join(folder, 'initdb')] : []))
  return found.find((file) => isExecutable(join(dirname(file), 'postgres'))) ?? inPath('initdb')
}

const version = (path: string) => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0)

export interface User {
  uid: number
  gid: number
}

/** Whom root starts a server as that refuses to be root's; undefined for everybody else. */
export function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string, name: string) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  const users = ['postgres', 'nobody'].map((name) => ({ uid: id('-u', name), gid: id('-g', name) }))
  const user = users.find(({ uid }) => uid > 0)
  if (user) return user
  throw new Missing(
    'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as',
  )
}

function initialise(bin: string, folder: string, user: User | undefined): void {
  const args = [
    '-D',
    join(folder, 'data'),
    '-U',
    'podium',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ]
  const pwfile = `--pwfile=${join(folder, 'password')}`
  const done = spawnSync(join(bin, 'initdb'), [...args, pwfile], { cwd: folder, encoding: 'utf8', ...user })
  if (done.status !== 0) throw new Error(`initdb failed: ${done.error?.message ?? done.stderr}`)
}

/**
 * The shell between us and PostgreSQL reads a pipe of ours. When that closes, because we stop or were killed, it ends
 * the server and removes the folder.
 */
const keeper = `
exec 3<&0
"$1" -D "$2/data" >>"$2/log" 2>&1 & server=$!
(cat <&3 >/dev/null; touch "$2/stopped"; kill -INT $server) &
wait $server
[ -e "$2/stopped" ] && rm -rf "$2"
`

function serve(bin: string, folder: string, user: User | undefined): ChildProcess {
  const args = ['-c', keeper, 'podium-postgres', join(bin, 'postgres'), folder]
  return spawn('sh', args, { cwd: folder, detached: true, stdio: ['pipe', 'ignore', 'ignore'], ...user })
}

/** A port of 127.0.0.1 that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

async function answers(url: string, server: ChildProcess): Promise<boolean> {
  for (let i = 0; i < 300 && server.exitCode === null; i++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await sleep(100)
    }
  }
  return false
}

function logOf(folder: string): string {
  const file = join(folder, 'log')
  return existsSync(file)
    ? readFileSync(file, 'utf8').split('\n').slice(-20).join('\n')
    : 'no log was written'
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = server.exitCode !== null || new Promise((exit) => server.once('exit', exit))
  server.stdin?.end()
  await ended
  rmSync(folder, { recursive: true, force: true })
}
