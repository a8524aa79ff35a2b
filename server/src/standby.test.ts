import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { exportChanges } from '@podium/contract/audit-log/calls'
import type { Endpoint } from '@podium/contract/endpoint'
import { exportReminderList, officeWaiting, seasonProgress } from '@podium/contract/office/calls-overview'
import { searchResults } from '@podium/contract/results/calls'
import { renewResultLink, schoolCertificate } from '@podium/contract/results/calls-certificates'
import { publicResult, verifyCertificate } from '@podium/contract/results/calls-public'
import { exportSchools } from '@podium/contract/schools/calls-register'
import { exportDue } from '@podium/contract/shipping/calls-orders'
import { exportPackets } from '@podium/contract/shipping/calls-packets'
import { exportOfficeStudents } from '@podium/contract/students/calls-register'
import pg from 'pg'
import { openDatabase } from '#platform/db/database'
import { maxStaleness } from '#platform/db/database-replica'
import { migrate } from '#platform/db/migrate'
import { atEnd, testsShare } from '#test/database'
import { aDay, anOfficer, aSchool } from '#test/factories'
import { failLoudly, patient } from '#test/patient'
import { aReleasedEvent, searchBody } from '#test/results-factories'
import { type TestServer, testServer } from '#test/server'
import { startEmbedded } from './platform/db/embedded.ts'

interface Cluster {
  dataDir: string
  /** Connection string of its superuser, database `postgres`. */
  url: string
  /** Ends the server and removes its folder. */
  stop: () => Promise<void>
}

const settings = ['max_connections=200', 'wal_level=replica', 'max_wal_senders=4']

/**
 * Starts a temporary PostgreSQL on a free port of 127.0.0.1, from which a standby can stream. It ends with this
 * process.
 */
async function startCluster(): Promise<Cluster> {
  const cluster = await started(mkdtempSync(join(tmpdir(), 'podium-postgres-')))
  const lets = 'host replication postgres 127.0.0.1/32 scram-sha-256\n'
  appendFileSync(join(cluster.dataDir, 'postgres', 'pg_hba.conf'), lets)
  await asked(cluster, (client) => client.query('select pg_reload_conf()'))
  return cluster
}

/** Starts a hot standby of a cluster from `startCluster`, on a copy of its current folder, and streams from it. */
async function startStandby(primary: Cluster): Promise<Cluster> {
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

/** A server whose reads a real standby answers, streaming from a primary of its own. */
suite('a standby', () => {
  let now = aDay
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  let standby: Cluster
  let replica: pg.Client
  let server: TestServer
  let world: Awaited<ReturnType<typeof aReleasedEvent>>
  let owner: Awaited<ReturnType<typeof anOfficer>>

  before(async () => {
    const primary = await startCluster()
    atEnd(() => primary.stop())
    const database = await openDatabase({ ...patient, url: primary.url, dataDir: '', onError: failLoudly })
    atEnd(() => database.close())
    await migrate(database)
    testsShare(database)
    standby = await startStandby(primary)
    atEnd(() => standby.stop())
    replica = new pg.Client({ connectionString: standby.url })
    replica.on('error', () => undefined)
    await replica.connect()
    atEnd(() => replica.end().catch(() => undefined))
    const settings = { databaseUrl: primary.url, databaseReadUrl: standby.url }
    server = await testServer({ clock: () => now, settings })
    world = await aReleasedEvent(server)
    owner = await anOfficer('owner')
  })

  /** Counts the reads answered by the standby and the primary meanwhile. */
  async function answeredBy<Answer>(ask: () => Promise<Answer>) {
    const { standby: first, primary: second } = server.deps.reads.answered
    const answer = await ask()
    const { standby: fromStandby, primary: fell } = server.deps.reads.answered
    return { answer, by: { standby: fromStandby - first, primary: fell - second } }
  }

  /** Pauses the standby's replay while `act` runs, and waits until it has caught up. */
  async function paused(act: () => Promise<void>): Promise<void> {
    await replica.query('select pg_wal_replay_pause()')
    try {
      // It pauses at its next record, or at once if it is waiting for one.
      for (;;) {
        const { rows } = await replica.query('select pg_get_wal_replay_pause_state() as state')
        if (rows[0].state === 'paused') break
      }
      await act()
    } finally {
      await replica.query('select pg_wal_replay_resume()')
    }
    await caughtUp()
  }

  async function caughtUp(): Promise<void> {
    const { rows } = await server.database.pool.query('select pg_current_wal_insert_lsn()::text as lsn')
    for (;;) {
      const { rows: passed } = await replica.query(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as passed',
        [rows[0].lsn],
      )
      if (passed[0].passed) return
    }
  }

  async function linkOf(index: number): Promise<string> {
    const body = await server.ask(searchResults, searchBody(world.event), world.teacher)
    const name = ['Asha Namunawala', 'किरण नमूनावाला', 'Chetan'][index]
    const row = body.data.find(({ studentName }) => studentName === name)
    return (row?.resultLink ?? '').replace('/r/', '')
  }
  /** Lets the server ask for the primary's position, and the standby pass it. */
  async function known(id: string): Promise<void> {
    later(maxStaleness + 1)
    assert.equal((await open(id)).body.state, 'released')
    await caughtUp()
    later(1_001)
  }
  const open = (id: string) => server.call(publicResult, { query: { id } })

  test('answers the public page of a result with data at most five seconds old', async () => {
    const id = await linkOf(0)
    await known(id)
    await paused(async () => {
      await server.database.pool.query("update schools set city = 'Naya Nagar' where id = $1", [
        world.school.id,
      ])
      const read = await answeredBy(() => open(id))
      assert.deepEqual(read.by, { standby: 1, primary: 0 })
      assert.notEqual(read.answer.body.data?.city, 'Naya Nagar', 'only the standby has the old city')
      // The known position is now too old, and the standby has not moved on.
      later(maxStaleness + 1)
      const fell = await answeredBy(() => open(id))
      assert.deepEqual(fell.by, { standby: 0, primary: 1 })
      assert.equal(fell.answer.body.data?.city, 'Naya Nagar')
    })
    await known(id)
    const again = await answeredBy(() => open(id))
    assert.deepEqual(again.by, { standby: 1, primary: 0 })
    assert.equal(again.answer.body.data?.city, 'Naya Nagar')
  })

  test('never says that a link or certificate does not exist, but asks the primary', async () => {
    const row = { resultId: world.idOf(1) }
    await known(await linkOf(0))
    await paused(async () => {
      const body = await server.ask(renewResultLink, row, world.teacher)
      const fresh = await answeredBy(() => open(body.resultLink.replace('/r/', '')))
      assert.deepEqual([fresh.answer.status, fresh.by], [200, { standby: 0, primary: 1 }])
      assert.equal((await take(schoolCertificate, { ...row, language: 'en' }, world.teacher)).status, 200)
      const { rows } = await server.database.pool.query('select number from certificates limit 1')
      const query = { number: rows[0].number }
      const checked = await answeredBy(() => server.call(verifyCertificate, { query }))
      assert.deepEqual([checked.answer.body.state, checked.by], ['valid', { standby: 0, primary: 1 }])
    })
    await known(await linkOf(0))
    const { rows } = await server.database.pool.query('select number from certificates limit 1')
    const checked = await answeredBy(() =>
      server.call(verifyCertificate, { query: { number: rows[0].number } }),
    )
    assert.deepEqual([checked.answer.body.state, checked.by], ['valid', { standby: 1, primary: 0 }])
  })

  const season = () => world.event.season
  const exports: ReadonlyArray<readonly [Endpoint, () => object]> = [
    [exportOfficeStudents, () => ({ FYear: season(), format: 'csv' })],
    [exportSchools, () => ({ FYear: season(), format: 'csv' })],
    [exportChanges, () => ({ format: 'csv' })],
    [exportReminderList, () => ({ FYear: season(), format: 'csv' })],
    [exportPackets, () => ({ FYear: season(), format: 'csv' })],
    [exportDue, () => ({ FYear: season(), contents: 'books', format: 'csv' })],
  ]

  test('answers exports and counts, including what their reader wrote a moment ago', async () => {
    await caughtUp()
    later(5_001)
    for (const [endpoint, body] of exports) {
      const { answer, by } = await answeredBy(() => take(endpoint, body()))
      assert.deepEqual([endpoint.path, answer.status, by], [endpoint.path, 200, { standby: 1, primary: 0 }])
    }
    const counted = await answeredBy(() => server.call(officeWaiting, {}, owner))
    assert.deepEqual([counted.answer.status, counted.by], [200, { standby: 1, primary: 0 }])
    const figures = await answeredBy(async () => {
      await server.ask(seasonProgress, { FYear: season() }, owner)
      await server.jobs.drain()
    })
    assert.deepEqual(figures.by, { standby: 1, primary: 0 })
    const { name } = await aSchool({ name: 'Abhi Abhi Vidyalaya' })
    const read = await answeredBy(() => take(exportSchools, { FYear: season(), format: 'csv' }))
    assert.deepEqual(read.by, { standby: 1, primary: 0 })
    assert.ok(read.answer.text.includes(name))
    await paused(async () => {
      const unseen = await aSchool({ name: 'Kal Ka Vidyalaya' })
      const fell = await answeredBy(() => take(exportSchools, { FYear: season(), format: 'csv' }))
      assert.deepEqual(fell.by, { standby: 0, primary: 1 })
      assert.ok(fell.answer.text.includes(unseen.name), 'the primary has the new school')
    })
  })

  async function take(endpoint: Endpoint, body: object, { token } = owner as { token: string }) {
    const response = await server.post(endpoint, body, { token })
    return { status: response.status, text: await response.text() }
  }

  test('that is missing causes no error: the primary answers', async () => {
    const id = await linkOf(0)
    await standby.stop()
    later(5_001)
    for (let call = 0; call < 5; call++) {
      const { answer, by } = await answeredBy(() => open(id))
      assert.deepEqual([answer.body.state, by], ['released', { standby: 0, primary: 1 }])
    }
    const file = await answeredBy(() => take(exportSchools, { FYear: season(), format: 'csv' }))
    assert.deepEqual([file.answer.status, file.by], [200, { standby: 0, primary: 1 }])
  })
})
