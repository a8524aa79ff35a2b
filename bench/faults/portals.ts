// Three instances of Podium behind HAProxy, with what they depend on: a bucket for uploaded files and backups, and a
// mail server that counts.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import S3rver from 's3rver'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../../server/src/platform/http/source.ts'
import { balancedDatabase, type Cluster } from './database.ts'
import {
  type findPrograms,
  folder,
  foldersOfRun,
  keepRunning,
  type Program,
  place,
  unprivilegedUser,
  until,
} from './processes.ts'

const root = join(import.meta.dirname, '../..')
const host = '127.0.0.1'

export interface Portals {
  /** The address for all calls */
  url: string
  instances: Array<Program & { port: number; ready(): Promise<boolean> }>
  /** Runs a command of the program, such as `migrate`, until it ends; throws its output if it fails. */
  command(name: string): Promise<string>
  /** Makes every later start use the next version, which has three more migrations. */
  nextVersion(): void
  /** How often each mail was accepted, by Message-ID */
  mails: Map<string, number>
}

/** Starts a mail server that counts accepted mails by Message-ID. */
async function startMailServer() {
  const mails = new Map<string, number>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (piece) => {
        text += piece
      })
      stream.on('end', () => {
        const [, id = ''] = /^Message-ID:\s*<([^@>]+)/im.exec(text) ?? []
        mails.set(id, (mails.get(id) ?? 0) + 1)
        done()
      })
    },
  })
  // A killed instance breaks its connections.
  server.on('error', () => undefined)
  const port = await freePort()
  await new Promise<void>((listening) => server.listen(port, host, listening))
  return { mails, port }
}

/**
 * Copies the server as a future version with three more migrations, which only add. The copy is inside the checkout,
 * where Node finds the libraries.
 */
function versionToCome(): string {
  const next = join(root, 'artefacts', `faults-${process.pid}`)
  foldersOfRun.push(next)
  mkdirSync(next, { recursive: true })
  cpSync(join(root, 'server'), join(next, 'server'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules') && !path.endsWith('.test.ts'),
  })
  symlinkSync(join(root, 'web'), join(next, 'web'))
  const migrations = join(next, 'server/migrations')
  writeFileSync(
    join(migrations, '9001_students_called.sql'),
    "alter table students add column called text, add column remark text not null default '';\n",
  )
  writeFileSync(
    join(migrations, '9002_students_by_call.sql'),
    '-- outside a transaction\ncreate index concurrently students_by_call on students (called);\n',
  )
  writeFileSync(
    join(migrations, '9003_visits.sql'),
    'create table site_visits (id int primary key, on_day date);\n',
  )
  return join(next, 'server/src/main.ts')
}

export async function startPortals(
  cluster: Cluster,
  programs: ReturnType<typeof findPrograms>,
): Promise<Portals> {
  const smtp = await startMailServer()
  const bucket = new S3rver({
    address: host,
    port: 0,
    silent: true,
    directory: place('bucket'),
    configureBuckets: [{ name: 'podium', configs: [] }],
  })
  const { port: bucketPort } = await bucket.run()
  const front = await freePort()
  const url = `http://${host}:${front}`
  const bucketAt = `endpoint=${encodeURIComponent(`http://${host}:${bucketPort}`)}&region=us-east-1`
  const env = {
    ...{ NODE_ENV: 'production', DEMO: 'off', LOG_LEVEL: 'warn', PUBLIC_URL: url, TRUST_PROXY: host },
    ...{ SECRET: randomBytes(33).toString('base64'), DRAIN_SECONDS: '3' },
    ...{ DATABASE_URL: cluster.url, DATABASE_POOLER: 'transaction', DATABASE_POOL: '6' },
    SMTP_URL: `smtp://${host}:${smtp.port}`,
    BACKUP_URL: `s3://podium/backups?${bucketAt}`,
    FILES_URL: `s3://podium/sent?${bucketAt}`,
    ...{ AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    DATA_DIR: place('data'),
  }
  const now = join(root, 'server/src/main.ts')
  let program = now
  const next = versionToCome()
  const command = async (name: string) => {
    const run = promisify(execFile)(process.execPath, [program, name], {
      env: { PATH: process.env.PATH, ...env },
      timeout: 120_000,
    })
    return (await run).stdout
  }
  const ports = [await freePort(), await freePort(), await freePort()]
  const configuration = join(folder, 'haproxy.cfg')
  writeFileSync(configuration, balancer(front, ports) + balancedDatabase(cluster))
  keepRunning('haproxy', () => ({
    name: 'haproxy',
    command: programs.haproxy,
    args: ['-db', '-f', configuration],
    as: unprivilegedUser,
  }))
  await until('the migrations are there', () => command('migrate'))
  const instances = ports.map((port, index) => ({
    port,
    ready: () =>
      fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    ...keepRunning(`portal-${index + 1}`, () => ({
      name: `portal-${index + 1}`,
      command: process.execPath,
      args: [program],
      env: { ...env, PORT: String(port) },
    })),
  }))
  for (const { name, ready } of instances)
    await until(`${name} is ready`, async () => (await ready()) || undefined)
  return {
    url,
    instances,
    command,
    nextVersion: () => {
      program = next
    },
    mails: smtp.mails,
  }
}

/**
 * The balancer's configuration as in docs/operations.md: it polls /readyz, and resends a call lost with an instance to
 * another one if that is harmless: reads, and writes with a key.
 */
const balancer = (front: number, ports: readonly number[]) => `global
  maxconn 1000
  tune.bufsize 65536
defaults
  timeout connect 2s
  timeout check 3s
  timeout client 60s
  timeout server 60s
frontend web
  mode http
  bind ${host}:${front}
  option forwardfor
  default_backend portals
backend portals
  mode http
  balance leastconn
  option httpchk GET /readyz
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
  http-request wait-for-body time 8s
  http-request disable-l7-retry unless METH_GET or { req.hdr(idempotency-key) -m found }
  default-server inter 500 fall 1 rise 1
${ports.map((port, index) => `  server portal-${index + 1} ${host}:${port} check`).join('\n')}
`
