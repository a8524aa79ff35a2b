import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { backupList, makeBackupNow } from '@podium/contract/office/calls-backups'
import { paymentProof, savePayment } from '@podium/contract/payments/calls'
import { officePaymentReceipt, verifyPayment } from '@podium/contract/payments/calls-verification'
import { importMarks } from '@podium/contract/results/calls-office'
import { restoreBackup } from '#platform/backup/restore'
import { sweepFiles } from '#platform/files/files'
import { backupStoreOf, fileStoreOf, openBucket } from '#platform/files/stores'
import { createLogger } from '#platform/telemetry/logger'
import { emptyDatabase, temporaryFolder } from '#test/database'
import { aDay, anOfficer } from '#test/factories'
import { aPendingPayment, aSchoolThatOwes, aSubmission } from '#test/payments-factories'
import { runCommand } from '#test/program'
import { anEvent, candidates, marksCsv } from '#test/results-factories'
import { findRows, valuesOf } from '#test/rows'
import { anS3Peer, type S3Peer, s3Keys } from '#test/s3-peer'
import { refused, type TestServer, testServer } from '#test/server'

let now = aDay
let peer: S3Peer
let one: TestServer
let other: TestServer
before(async () => {
  peer = await anS3Peer()
  // Each has its own data folder; they share the database and the bucket.
  const anInstance = () =>
    testServer({
      log: createLogger('silent'),
      clock: () => now,
      settings: { filesBucket: peer.place('sent files'), backupBucket: peer.place('backups') },
    })
  one = await anInstance()
  other = await anInstance()
})

/** Returns the hashes of a bucket's files under a prefix. */
async function contents(prefix = 'sent files'): Promise<string[]> {
  const settings = { ...one.deps.settings, filesBucket: peer.place(prefix) }
  const hashes: string[] = []
  for await (const sha256 of (await fileStoreOf(settings)).before(new Date('2100-01-01'))) hashes.push(sha256)
  return hashes
}

async function whileAway(act: () => Promise<void>): Promise<void> {
  await peer.stop()
  await act().finally(() => peer.start())
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

test('a proof sent to one instance is read from the other, and no data folder contains it', async () => {
  const { token } = await aSchoolThatOwes()
  const sent = await one.call(savePayment, { body: await aSubmission(one, token) }, { token })
  assert.equal(sent.status, 200, sent.body.message)
  const ask = (server: TestServer) => server.download(paymentProof, { id: sent.body.id }, { token })
  const [first, second] = [await ask(one), await ask(other)]
  assert.equal(second.status, 200)
  assert.ok(second.bytes.length > 0 && second.bytes.equals(first.bytes))
  for (const { deps } of [one, other])
    for (const folder of ['files', 'received'])
      assert.ok(!existsSync(join(deps.settings.dataDir, folder)), `the folder ${folder} exists`)
})

test('a large file is on disk only while it is checked or read, and otherwise only in the bucket', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const text = marksCsv(event, [{ roll: student?.roll ?? '', marks: [10, 40, 50] }])
  const { token } = await anOfficer('results')
  const upload = (server: TestServer, content: string) =>
    server.call(
      importMarks,
      { query: { eventYearId: String(event.id) } },
      { token, file: { name: 'marks.csv', bytes: new TextEncoder().encode(content) } },
    )
  const before = await contents()
  await refused('results.columns', upload(one, 'these are no columns\n1\n'))
  assert.deepEqual(await contents(), before, 'a refused file is in the bucket')
  assert.equal((await upload(one, text)).status, 200)
  for (const { jobs } of [one, other]) await jobs.drain()
  const sets = await findRows('result_sets', { event_id: event.id }, ['state', 'rows'])
  assert.deepEqual(sets, [{ state: 'imported', rows: 1 }])
  assert.equal((await contents()).length, before.length + 1)
  for (const { deps } of [one, other])
    assert.deepEqual(
      readdirSync(deps.settings.dataDir).flatMap((name) =>
        name === 'received' ? readdirSync(join(deps.settings.dataDir, name)) : [],
      ),
      [],
    )
})

test('while the store is away nothing is half stored, and everything resumes by itself afterwards', async () => {
  const { token, id } = await aPendingPayment(one)
  const { token: officer } = await anOfficer('owner')
  const { token: payer } = await aSchoolThatOwes()
  const body = await aSubmission(one, payer)
  const rows = async () =>
    Object.values(
      await one.deps.db
        .selectFrom('files')
        .select(({ fn }) => [
          fn.countAll<number>().as('files'),
          one.deps.db
            .selectFrom('payments')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .as('payments'),
        ])
        .executeTakeFirstOrThrow(),
    )
  const before = await rows()
  const receipt = async () => (await one.download(officePaymentReceipt, { id }, { token: officer })).status
  await whileAway(async () => {
    const refused = await one.call(savePayment, { body }, { token: payer })
    assert.deepEqual(codeOf(refused), [503, 'file.store_away'])
    assert.match(refused.body.message, /^Files cannot be saved or opened right now\./)
    assert.equal(refused.headers.get('retry-after'), '10')
    assert.equal((await one.download(paymentProof, { id }, { token })).status, 503)
    assert.deepEqual(await rows(), before)
    const verified = await one.call(verifyPayment, { body: { id, version: 1 } }, { token: officer })
    assert.equal(verified.status, 200, verified.body.message)
    await one.jobs.drain()
    assert.equal(await receipt(), 503)
  })
  assert.equal((await one.call(savePayment, { body }, { token: payer })).status, 200)
  now = new Date(now.getTime() + 31_000)
  await one.jobs.drain()
  const { state } = await one.deps.db
    .selectFrom('jobs')
    .select('state')
    .where('kind', '=', 'payment-receipt')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(state, 'done')
  assert.equal(await receipt(), 200)
})

test('a file in the bucket that no row names is deleted after a day, and a named one stays', async () => {
  const { db, files } = one.deps
  const { sha256 } = await files.put(Buffer.from('the proof of an erased child'))
  const named = (await findRows('files', {}, ['sha256'])).map((row) => row.sha256)
  assert.ok(named.length > 0)
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)
  await sweepFiles(db, files, days(0.5))
  assert.ok((await contents()).includes(sha256), 'the file was deleted too early')
  await sweepFiles(db, files, days(2))
  assert.deepEqual((await contents()).sort(), [...new Set(named)].sort())
})

test('a backup contains the files of the bucket, and a restore puts them into another', async () => {
  const { token, id } = await aPendingPayment(one)
  const owner = await anOfficer('owner')
  assert.equal((await one.call(makeBackupNow, {}, owner)).status, 200)
  await one.jobs.drain()
  const [made] = (await one.ask(backupList, {}, owner)).data
  assert.equal(made?.missing, 0)
  assert.ok(made?.verifiedAt, made?.error ?? 'no backup')
  const settings = { ...one.deps.settings, filesBucket: peer.place('restored') }
  const store = await backupStoreOf(settings)
  await restoreBackup({
    database: await emptyDatabase(),
    files: await fileStoreOf(settings),
    secret: settings.secret,
    open: () => store.open(made.fileName),
  })
  const named = await one.deps.db.selectFrom('files').select('sha256').distinct().execute()
  assert.deepEqual((await contents('restored')).sort(), valuesOf(named, 'sha256').sort())
  const after = await testServer({ clock: () => now, settings: { filesBucket: settings.filesBucket } })
  const { status, bytes } = await after.download(paymentProof, { id }, { token })
  assert.equal(status, 200)
  assert.deepEqual(bytes, (await one.download(paymentProof, { id }, { token })).bytes)
  // A server that has just started looks for work: it would take the next test's backup.
  await after.drain()
})

test('a backup made while the file store is away fails', async () => {
  const owner = await anOfficer('owner')
  const settings = { ...one.deps.settings, filesBucket: peer.place('restored'), backupBucket: undefined }
  const apart = await testServer({ log: createLogger('silent'), clock: () => now, settings })
  assert.equal((await apart.call(makeBackupNow, {}, owner)).status, 200)
  await whileAway(() => apart.jobs.drain())
  const [made] = (await apart.ask(backupList, {}, owner)).data
  assert.equal(made?.verifiedAt, null)
  assert.match(made?.error ?? '', /^The store s3:\/\/kept\/restored can't be used: /)
})

test('a file whose content was replaced is not served', async () => {
  const { files } = one.deps
  const { sha256 } = await files.put(Buffer.from('as it was'))
  const bucket = await openBucket(peer.place('sent files'))
  await bucket.put(`files/${sha256}`, 'as somebody made it')
  const other = /^StoreFault: s3:\/\/kept\/sent files\/files\/[0-9a-f]{64} is not what was put there$/
  await assert.rejects(files.read(sha256), other)
  await assert.rejects(
    files.withPath(sha256, async () => assert.fail('the replaced file was used')),
    other,
  )
})

test('a store that accepts a connection but stays silent is treated as away after a while', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  assert.ok(typeof address === 'object' && address !== null)
  const bucket = await openBucket({ ...peer.place('any'), endpoint: `http://127.0.0.1:${address.port}` }, 100)
  await assert.rejects(
    bucket.has('anything'),
    /^StoreFault: The store s3:\/\/kept\/any can't be used: TimeoutError/,
  )
  silent.close()
})

test('a start with a key unknown to the store, or without a store, is refused with one line', async () => {
  const dataDir = temporaryFolder('podium-refused-')
  const start = (endpoint: string, key: string) =>
    runCommand([], {
      DATA_DIR: dataDir,
      SECRET: 'a secret that only the tests know, long enough',
      PORT: '0',
      FILES_URL: `s3://kept/sent?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: key,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
  const unknown = await start(peer.endpoint, 'STRANGER')
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /^The store s3:\/\/kept\/sent can't be used: InvalidAccessKeyId [^\n]*\n$/)
  const away = await start('http://127.0.0.1:9', s3Keys.accessKeyId)
  assert.equal(away.code, 1)
  assert.match(away.err, /^The store s3:\/\/kept\/sent can't be used: [^\n]*ECONNREFUSED[^\n]*\n$/)
  assert.deepEqual(readdirSync(dataDir), [], 'the refused start created something')
})
