// Two PostgreSQL servers under Patroni with etcd, behind HAProxy, which leads to the primary, and PgBouncer in front of
// it.
import { randomBytes } from 'node:crypto'
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../server/src/platform/http/source.ts'
import {
  alsoEnds,
  familyOf,
  type findPrograms,
  folder,
  keepRunning,
  killHard,
  type Program,
  place,
  unprivilegedUser,
  until,
} from './processes.ts'

export interface Node {
  name: string
  /** The ports of PostgreSQL, and of Patroni's API */
  port: number
  api: number
  patroni: Program
  /** PostgreSQL's process ids, none while it is down */
  processes(): number[]
}

export interface Cluster {
  nodes: Node[]
  /** Through PgBouncer and HAProxy, as used by instances */
  url: string
  /** For HAProxy's configuration, which includes the database's port */
  port: number
  primary(): Promise<Node>
  /** Resolves when there is a primary with a synchronous standby. */
  whole(): Promise<Node>
  /** Makes it unreachable for instances, for this many ms. */
  goAway(wait: number): void
  /** Queries the primary directly, as its superuser. */
  ask<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

const password = randomBytes(16).toString('hex')
const roles = {
  superuser: { username: 'postgres', password },
  replication: { username: 'replicator', password },
  rewind: { username: 'rewinder', password },
}

/** Writes a file for the servant; Patroni and etcd accept JSON, which is YAML. */
function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  if (unprivilegedUser) chownSync(path, unprivilegedUser.uid, unprivilegedUser.gid)
  return path
}

const host = '127.0.0.1'

export async function startDatabase(programs: ReturnType<typeof findPrograms>): Promise<Cluster> {
  const [etcd, peer, port, pooler] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const address = `http://${host}:${etcd}`
  const among = `http://${host}:${peer}`
  const data = place('etcd')
  const member = [
    ...['--name', 'one', '--data-dir', data],
    ...['--listen-client-urls', address, '--advertise-client-urls', address],
    ...['--listen-peer-urls', among, '--initial-advertise-peer-urls', among],
    ...['--initial-cluster', `one=${among}`, '--logger', 'zap'],
  ]
  keepRunning('etcd', () => ({ name: 'etcd', command: programs.etcd, args: member, as: unprivilegedUser }))
  await until('etcd answers', async () => ((await fetch(`${address}/health`)).ok ? true : undefined))
  const nodes: Node[] = []
  for (const name of ['a', 'b']) nodes.push(await startNode(name, etcd, programs))
  const primary = () => until('there is a primary', async () => findPrimary(nodes), 180)
  const users = write('pgbouncer.users', `"podium" "${password}"\n`)
  const ini = write('pgbouncer.ini', poolerSettings({ port: pooler, database: port, users }))
  const pgbouncer = keepRunning('pgbouncer', () => ({
    name: 'pgbouncer',
    command: programs.pgbouncer,
    args: [ini],
    as: unprivilegedUser,
  }))
  const cluster: Cluster = {
    nodes,
    port,
    url: `postgres://podium:${password}@${host}:${pooler}/podium`,
    primary,
    whole: () => until('there is a primary with a synchronous standby', () => findWhole(nodes), 180),
    goAway: (wait) => pgbouncer.kill(wait),
    async ask(text, values) {
      const client = new pg.Client(addressOf(await primary(), 'podium'))
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
  }
  await makeDatabase(await cluster.whole())
  return cluster
}

async function startNode(name: string, etcd: number, { patroni, postgres }: ReturnType<typeof findPrograms>) {
  const [port, api] = [await freePort(), await freePort()]
  const home = place(`postgres-${name}`)
  const data = join(home, 'data')
  const parameters = {
    max_connections: 60,
    shared_buffers: '64MB',
    wal_log_hints: 'on',
    unix_socket_directories: home,
  }
  const settings = {
    scope: 'podium',
    name,
    restapi: { listen: `${host}:${api}`, connect_address: `${host}:${api}` },
    etcd3: { hosts: [`${host}:${etcd}`] },
    bootstrap: {
      dcs: {
        // The shortest that Patroni allows: how long the loss of a whole machine goes unnoticed.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        // A crashed primary hands over; it is not restarted in place.
        primary_start_timeout: 0,
        // A write is only acknowledged if the standby has it, and no other server becomes primary.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      pg_hba: [
        `host replication replicator ${host}/32 scram-sha-256`,
        `host all all ${host}/32 scram-sha-256`,
      ],
    },
    postgresql: {
      listen: `${host}:${port}`,
      connect_address: `${host}:${port}`,
      data_dir: data,
      bin_dir: postgres,
      pgpass: join(home, 'pgpass'),
      authentication: roles,
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
  const config = write(`patroni-${name}.yml`, JSON.stringify(settings))
  const processes = () => {
    const pid = postmasterOf(data)
    return pid === undefined ? [] : familyOf(pid)
  }
  alsoEnds.push(processes)
  const started = keepRunning(`patroni-${name}`, () => ({
    name,
    command: patroni,
    args: [config],
    env: { HOME: home },
    as: unprivilegedUser,
  }))
  return { name, port, api, patroni: started, processes }
}

function postmasterOf(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

async function answersOk(node: Node, path: string): Promise<boolean> {
  return (await fetch(`http://${host}:${node.api}${path}`).catch(() => undefined))?.ok ?? false
}

async function findPrimary(nodes: readonly Node[]): Promise<Node | undefined> {
  for (const node of nodes) if (await answersOk(node, '/primary')) return node
  return undefined
}

async function findWhole(nodes: readonly Node[]): Promise<Node | undefined> {
  const primary = await findPrimary(nodes)
  const standby = nodes.find((node) => node !== primary)
  return primary && standby && (await answersOk(standby, '/synchronous')) ? primary : undefined
}

const addressOf = (node: Node, database: string): pg.ClientConfig => ({
  host,
  port: node.port,
  user: 'postgres',
  password,
  database,
  connectionTimeoutMillis: 5_000,
})

/**
 * Creates the database and its role, with the settings that can't be set through a pooler in transaction mode
 * (docs/operations.md).
 */
async function makeDatabase(primary: Node): Promise<void> {
  const client = new pg.Client(addressOf(primary, 'postgres'))
  await client.connect()
  const role = 'alter role podium in database podium set'
  for (const statement of [
    `create role podium login password '${password}'`,
    'create database podium owner podium',
    `${role} timezone = 'UTC'`,
    `${role} statement_timeout = 5000`,
    `${role} lock_timeout = 2000`,
    `${role} idle_in_transaction_session_timeout = 10000`,
    `${role} jit = off`,
  ])
    await client.query(statement)
  await client.end()
}

const poolerSettings = ({
  port,
  database,
  users,
}: {
  port: number
  database: number
  users: string
}) => `[databases]
podium = host=${host} port=${database} dbname=podium
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
# Two seconds and not fifteen: as long nobody is led to the new primary.
server_login_retry = 2
query_wait_timeout = 10
`

/** HAProxy's lines for whichever PostgreSQL is the primary. */
export const balancedDatabase = ({ port, nodes }: Pick<Cluster, 'port' | 'nodes'>) => `listen database
  mode tcp
  bind ${host}:${port}
  timeout client 1h
  timeout server 1h
  option httpchk GET /primary
  default-server inter 500 fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: own, api }) => `  server ${name} ${host}:${own} check port ${api}`).join('\n')}
`

/** Kills PostgreSQL's processes as in a power cut; `machine` kills Patroni too, so that nothing hands over. */
export function killPrimary(node: Node, machine: boolean): void {
  // Patroni first, and not restarted before the other has taken over: it would notice PostgreSQL's end.
  if (machine) node.patroni.kill(45_000)
  for (const pid of node.processes()) killHard(pid)
}
