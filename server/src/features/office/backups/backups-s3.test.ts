import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupList, makeBackupNow } from '@podium/contract/office/calls-backups'
import { restoreBackup } from '#platform/backup/restore'
import { createFileStore } from '#platform/files/files'
import { bucketOfBackups } from '#platform/files/stores'
import { createLogger } from '#platform/telemetry/logger'
import { emptyDatabase, temporaryFolder } from '#test/database'
import { aDay, anOfficer, aSchool } from '#test/factories'
import { anS3Peer, type S3Peer } from '#test/s3-peer'
import { before, beforehand, testServer } from '#test/server'
import { storeBackup } from './commands.ts'

const secret = 'a secret that only the tests know, long enough'
let now = aDay
let peer: S3Peer

const place = () => peer.place('of podium')

before(async () => {
  peer = await anS3Peer()
})
const server = beforehand(() =>
  testServer({ log: createLogger('silent'), clock: () => now, settings: { backupBucket: place() } }),
)
const owner = beforehand(() => anOfficer('owner'))

async function backedUp() {
  await server.ask(makeBackupNow, {}, owner)
  await server.jobs.drain()
  return (await server.ask(backupList, {}, owner)).data[0]
}

test("the office's backup is written to the bucket, verified there and restored from there", async () => {
  const school = await aSchool()
  const made = await backedUp()
  assert.ok(made?.verifiedAt, made?.error ?? 'no backup')
  const store = await bucketOfBackups(place())
  assert.deepEqual(await store.names(), [made.fileName])
  const database = await emptyDatabase()
  const files = createFileStore(temporaryFolder('podium-restored-'))
  await restoreBackup({ database, files, secret, open: () => store.open(made.fileName) })
  const there = await database.db
    .selectFrom('schools')
    .selectAll()
    .where('id', '=', school.id)
    .executeTakeFirst()
  assert.deepEqual(there, school)
})

test('a backup fails with the reason while the store is unreachable, and the next one succeeds by itself', async () => {
  await peer.stop()
  const failed = await backedUp()
  assert.equal(failed?.verifiedAt, null)
  assert.match(failed?.error ?? '', /^The store s3:\/\/kept\/of podium can't be used: .*ECONNREFUSED/)
  await peer.start()
  now = new Date(aDay.getTime() + 60_000)
  assert.notEqual((await backedUp())?.verifiedAt, null)
})

test('a backup older than 35 days is deleted from the bucket', async () => {
  const store = await bucketOfBackups(place())
  const old = await store.names()
  assert.ok(old.length > 0)
  now = new Date(aDay.getTime() + 36 * 86_400_000)
  const { database } = server
  const made = await storeBackup(
    { database, files: server.deps.files, secret, store, clock: () => now },
    { madeBy: 'command' },
  )
  assert.deepEqual(await store.names(), [made.name])
})

test('an instance finds the mark that another set in the bucket, and a missing bucket is reported', async () => {
  const store = await bucketOfBackups(place())
  await store.mark('one', 'here')
  assert.deepEqual([await store.marked('one'), await store.marked('two')], [true, false])
  await store.unmark('one')
  assert.equal(await store.marked('one'), false)
  const none = await bucketOfBackups({ ...place(), bucket: 'nowhere' })
  await assert.rejects(none.names(), /The store s3:\/\/nowhere\/of podium can't be used: NoSuchBucket/)
})
