import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../server/src/platform/db/embedded.ts'

export interface Cluster {
  dataDir: string
  /** Connection string of its superuser, database `postgres`. */
  url: string
  /** Ends the server and removes its folder. */
  stop: () => Promise<void>
}

const settings = ['max_connections=200', 'wal_level=replica', 'max_wal_senders=4']

/** A throwaway PostgreSQL on a free port of 127.0.0.1, from which a standby can stream. It ends with this process. */
export async function startCluster(): Promise<Cluster> {
  const cluster = await started(mkdtempSync(join(tmpdir(), 'podium-postgres-')))
  const lets = 'host replication postgres 127.0.0.1/32 scram-sha-256\n'
  appendFileSync(join(cluster.dataDir, 'postgres', 'pg_hba.conf'), lets)
  await asked(cluster, (client) => client.query('select pg_reload_conf()'))
  return cluster
}

/** A hot standby of a cluster of `startCluster`, which streams from it: a copy of its folder as it is now. */
export async function startStandby(primary: Cluster): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-standby-'))
  const folder = join(dataDir, 'postgres')
  await asked(primary, async (client) => {
    await client.query("select pg_backup_start('standby', true)")
    const filter = (path: string) => !path.endsWith('postmaster.pid')
    cpSync(join(primary.dataDir, 'postgres'), folder, { recursive: true, filter })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(folder, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  writeFileSync(join(folder, 'standby.signal'), '')
  const { hostname, port, username, password } = new URL(primary.url)
  return started(dataDir, [
    `primary_conninfo=host=${hostname} port=${port} user=${username} password=${password}`,
  ])
}

async function started(dataDir: string, more: readonly string[] = []): Promise<Cluster> {
  const { adminUrl, close } = await startEmbedded({
    ...{ dataDir, durable: false, loopback: true, settings: [...settings, ...more] },
    onError: (error) => {
      throw error
    },
  })
  const stop = async () => {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { dataDir, url: adminUrl, stop }
}

async function asked(cluster: Cluster, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
