import assert from 'node:assert/strict'
import { copyFileSync, createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupList, makeBackupNow } from '@podium/contract/office/calls-backups'
import { sql } from 'kysely'
import { makeBackup } from '#platform/backup/backup'
import { folderOfBackups } from '#platform/backup/backup-store'
import { restoreBackup } from '#platform/backup/restore'
import { openDatabase } from '#platform/db/database'
import { createFileStore, readStored, storeFile } from '#platform/files/files'
import { emptyDatabase, freshDataDir, temporaryFolder } from '#test/database'
import { aDay, anOfficer, aSchool, aSeason, aTeacher } from '#test/factories'
import { beforehand, testServer } from '#test/server'
import { storeBackup } from './commands.ts'
import { nextNight } from './queries.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const owner = beforehand(() => anOfficer('owner'))

const secret = 'the secret of this installation, long enough'
const odd = 'मीरा "O\'Neil" \\ {1,2}\n\t, null'

/** A portal with data that is hard to restore: other scripts, arrays, JSON, skipped ids, a file. */
async function aPortal() {
  const { db, files } = server.deps
  await aSeason()
  const school = await aSchool({ name: odd })
  await aTeacher({ schoolId: school.id, name: odd })
  await db
    .updateTable('staff')
    .set({ recovery_codes: ['a,b', '{"c"}', odd] })
    .where('id', '=', owner.id)
    .execute()
  const gone = await aSchool()
  await db.deleteFrom('schools').where('id', '=', gone.id).execute()
  const fileId = await db
    .transaction()
    .execute((tx) =>
      storeFile(tx, files, aDay, {
        schoolId: school.id,
        kind: 'payment-proof',
        name: 'proof.pdf',
        mediaType: 'application/pdf',
        bytes: Buffer.from(`a proof of ${school.code}`),
      }),
    )
  return { school, gone, fileId }
}

const opening = (path: string) => async () => createReadStream(path)

const backUp = (folder = temporaryFolder('podium-backup-')) =>
  makeBackup({
    database: server.database,
    files: server.deps.files,
    secret,
    store: folderOfBackups(folder),
    now: aDay,
  })

test('a backup restored into an empty database gives the same portal, with its files, rules and next numbers', async (step) => {
  const { school, gone, fileId } = await aPortal()
  const made = await backUp()
  const database = await emptyDatabase()

  await step.test(
    'a backup that was altered, truncated or made with another secret is refused before anything is written',
    async () => {
      const whole = readFileSync(made.path)
      const refuses = async (bytes: Buffer, says: RegExp, key = secret) => {
        const path = join(temporaryFolder('podium-broken-'), 'broken.backup')
        writeFileSync(path, bytes)
        const files = createFileStore(temporaryFolder('podium-broken-'))
        await assert.rejects(restoreBackup({ database, files, secret: key, open: opening(path) }), says)
      }
      const changed = Buffer.from(whole)
      const at = changed.length - 40
      changed[at] = (changed[at] ?? 0) ^ 1
      await refuses(changed, /damaged/)
      await refuses(whole.subarray(0, whole.length - 1), /cut off/)
      await refuses(Buffer.concat([whole, Buffer.from('x')]), /damaged/)
      await refuses(whole, /another SECRET/, `${secret}!`)
      await refuses(Buffer.from('something else altogether, no backup of anything at all'), /no backup/)
      const tables = await database.pool.query(`select to_regclass('schools') as there`)
      assert.equal(tables.rows[0]?.there, null, 'something was written')
      assert.equal(whole.includes('proof of'), false, 'a backup can be read without its secret')
    },
  )

  const files = createFileStore(temporaryFolder('podium-restored-'))
  const done = await restoreBackup({ database, files, secret, open: opening(made.path) })
  assert.equal(done.rows, made.rows)
  const { db } = database
  const there = await db.selectFrom('schools').selectAll().where('id', '=', school.id).executeTakeFirst()
  assert.deepEqual(there, school)
  const officer = await db.selectFrom('staff').selectAll().where('id', '=', owner.id).executeTakeFirst()
  assert.deepEqual(officer?.recovery_codes, ['a,b', '{"c"}', odd])
  const file = await readStored(db, files, fileId)
  assert.equal(file?.content.toString(), `a proof of ${school.code}`)
  const next = await sql<{ id: number }>`
    insert into schools (code, name, name_key, address, city, state, zone, country, pin_code, created_at)
    values ('NEXT', 'Next', 'next', '', '', '', '', 'India', '560001', now()) returning id`.execute(db)
  assert.ok((next.rows[0]?.id ?? 0) > gone.id, 'a number that was given before is given again')
  await assert.rejects(
    sql`update users set school_id = 0 where school_id = ${school.id}`.execute(db),
    /foreign key/,
    'the foreign keys are not back',
  )
  const sessions = await db.selectFrom('sessions').selectAll().execute()
  assert.deepEqual(sessions, [], 'who was signed in then is signed in again')

  await step.test('a restore never overwrites a database that holds data', async () => {
    await assert.rejects(
      restoreBackup({ database, files, secret, open: opening(made.path) }),
      /holds data already/,
    )
  })
})

test('a backup restores into an embedded database, whose role is no superuser', async () => {
  const { school } = await aPortal()
  const made = await backUp()
  const dataDir = await freshDataDir()
  const embedded = await openDatabase({ dataDir, onError: assert.fail })
  try {
    await restoreBackup({
      database: embedded,
      files: createFileStore(dataDir),
      secret,
      open: opening(made.path),
    })
    const there = await embedded.db
      .selectFrom('schools')
      .selectAll()
      .where('id', '=', school.id)
      .executeTakeFirst()
    assert.deepEqual(there, school)
  } finally {
    await embedded.close()
  }
})

test('the office makes a backup, sees that it was verified in full, and is warned when the last one is old', async () => {
  const token = owner.token
  await server.ask(makeBackupNow, {}, { token })
  await server.jobs.drain()
  const fresh = await server.ask(backupList, {}, { token })
  assert.equal(fresh.late, false)
  assert.equal(fresh.data[0]?.madeBy, 'office')
  assert.equal(fresh.data[0]?.person, owner.name)
  assert.notEqual(fresh.data[0]?.verifiedAt, null)
  assert.match(fresh.data[0]?.sha256 ?? '', /^[0-9a-f]{64}$/)
  now = new Date(aDay.getTime() + 37 * 3_600_000)
  const later = await anOfficer('viewer', now)
  const stale = await server.ask(backupList, {}, later)
  assert.equal(stale.late, true)
  now = aDay
})

test('a failed backup shows its reason, and one older than 35 days is deleted', async () => {
  const folder = temporaryFolder('podium-old-')
  const file = join(folder, 'in-the-way')
  writeFileSync(file, '')
  const store = folderOfBackups(folder)
  const deps = { database: server.database, files: server.deps.files, secret, store, clock: () => now }
  const notThere = storeBackup({ ...deps, store: folderOfBackups(file) }, { madeBy: 'command' })
  await assert.rejects(notThere, { name: 'StoreFault' })
  const first = (await server.ask(backupList, {}, owner)).data[0]
  assert.match(first?.error ?? '', /^The store \/.*\/in-the-way can't be used: .*(EEXIST|ENOTDIR)/)
  assert.equal(first?.verifiedAt, null)
  const old = await storeBackup(deps, { madeBy: 'command' })
  now = new Date(aDay.getTime() + 36 * 86_400_000)
  await storeBackup(deps, { madeBy: 'command' })
  assert.throws(() => readFileSync(old.path), /ENOENT/)
  now = aDay
})

test('a backup is shown as deleted only where it was deleted', async () => {
  const home = folderOfBackups(temporaryFolder('podium-home-'))
  const elsewhere = folderOfBackups(temporaryFolder('podium-elsewhere-'))
  const nowhere = folderOfBackups(temporaryFolder('podium-lost-'))
  const deps = { database: server.database, files: server.deps.files, secret, clock: () => now }
  now = new Date(aDay.getTime() + 3_600_000)
  const lost = await storeBackup({ ...deps, store: nowhere }, { madeBy: 'night' })
  now = new Date(aDay.getTime() + 2 * 3_600_000)
  const usual = await storeBackup({ ...deps, store: home }, { madeBy: 'night' })
  now = new Date(aDay.getTime() + 3 * 3_600_000)
  const other = await storeBackup({ ...deps, store: elsewhere, home }, { madeBy: 'command' })
  // A copy that someone put there is not the recorded backup.
  copyFileSync(usual.path, elsewhere.locate(usual.name))
  now = new Date(aDay.getTime() + 36 * 86_400_000)
  await storeBackup({ ...deps, store: elsewhere, home }, { madeBy: 'command' })
  assert.deepEqual(
    [lost, usual, other].map(({ path }) => existsSync(path)),
    [true, false, false],
  )
  assert.equal(existsSync(elsewhere.locate(usual.name)), true)
  const marked = async (name: string) =>
    (
      await server.deps.db.selectFrom('backups').select('deleted_at').where('file_name', '=', name).execute()
    ).map(({ deleted_at: at }) => at !== null)
  assert.deepEqual(
    [await marked(lost.name), await marked(usual.name), await marked(other.path)],
    [[false], [true], [true]],
  )
  now = aDay
})

test('the nightly backup follows Indian time', () => {
  assert.equal(nextNight(new Date('2026-11-21T20:59:00Z'), 2, 30).toISOString(), '2026-11-21T21:00:00.000Z')
  assert.equal(nextNight(new Date('2026-11-21T21:00:00Z'), 2, 30).toISOString(), '2026-11-22T21:00:00.000Z')
})
