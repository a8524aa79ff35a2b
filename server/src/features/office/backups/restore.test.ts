import assert from 'node:assert/strict'
import { createReadStream, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { askDataRequest, carryOutRequest, checkDataRequest } from '@podium/contract/privacy/calls'
import { sql } from 'kysely'
import { eraseAgain } from '#features/privacy/requests/commands'
import { folderOfBackups } from '#platform/backup/backup-store'
import { refuseUnfinished } from '#platform/backup/restore'
import { type OpenedDatabase, openDatabase } from '#platform/db/database'
import { addErasures, newestErasureList, restoredErasures } from '#platform/db/erased'
import { createFileStore } from '#platform/files/files'
import { createLogger } from '#platform/telemetry/logger'
import { emptyDatabase, freshDataDir, temporaryFolder } from '#test/database'
import { aDay, anOfficer, aSeason, aTeacher } from '#test/factories'
import { valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'
import { restorePortal, storeBackup } from './commands.ts'

const minute = 60_000
const secret = 'the secret of this installation, long enough'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  await server.outbox.stop()
  await aSeason()
})
const first = beforehand(() => anOfficer('operations'))
const second = beforehand(() => anOfficer('owner'))
const teacher = beforehand(() => aTeacher())

const backUp = (folder: string) =>
  storeBackup(
    {
      database: server.database,
      files: server.deps.files,
      secret,
      store: folderOfBackups(folder),
      clock: () => now,
    },
    { madeBy: 'command' },
  )

async function aChild(): Promise<number> {
  const { id } = await anEnteredStudent(server, teacher, { studentName: 'Zarvqaxilor Kelimwala' })
  return id
}

async function requestErasure(studentId: number): Promise<number> {
  const body = { studentId, kind: 'erase' as const, message: 'By telephone.', contact: '' }
  return (await server.ask(askDataRequest, body, first)).id
}

/** Erases a child as the office does: one officer checks, another carries it out. */
async function erase(studentId: number, request?: number): Promise<number> {
  const id = request ?? (await requestErasure(studentId))
  const body = { id, version: 1, method: 'call-back' as const, note: 'Called back.' }
  await server.ask(checkDataRequest, body, first)
  await server.ask(carryOutRequest, { id, version: 2 }, second)
  return id
}

interface Restoring {
  stores?: string[]
  folders?: string[]
  replaced?: string
}

/** Restores a backup into an empty database, as the command does. */
async function restoredFrom(path: string, { stores = [], folders = [], replaced }: Restoring = {}) {
  const database = await emptyDatabase()
  const output: string[] = []
  const files = createFileStore(temporaryFolder('podium-restored-'))
  const { done } = await restorePortal({
    database,
    files,
    secret,
    open: async () => createReadStream(path),
    stores: stores.map(folderOfBackups),
    folders,
    replaced,
    eraseAgain,
    clock: () => now,
    print: (line) => output.push(line),
  })
  return { database, files, done, output: output.join('\n') }
}

const rowOf = async ({ db }: Pick<OpenedDatabase, 'db'>, id: number) =>
  db
    .selectFrom('students')
    .select(['name', 'active', 'locked'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const named = 'Zarvqaxilor Kelimwala'

test('a restore does not bring back students who were erased after the backup was made', async (step) => {
  const { db } = server.deps
  const store = temporaryFolder('podium-backups-')
  const beside = temporaryFolder('podium-beside-')
  const [child, other, inPayment, listed] = [await aChild(), await aChild(), await aChild(), await aChild()]
  const later = await aChild()
  await erase(later)
  // As after a restore: the id now belongs to another child, entered later.
  now = new Date(aDay.getTime() + minute)
  const another = { erased_at: null, name: 'Another', created_at: now }
  await db.updateTable('students').set(another).where('id', '=', later).execute()
  await db.updateTable('students').set({ locked: true }).where('id', '=', inPayment).execute()
  const request = await requestErasure(child)
  const old = await backUp(beside)
  now = new Date(aDay.getTime() + 2 * minute)
  await db.updateTable('students').set({ locked: false }).where('id', '=', inPayment).execute()
  await erase(child, request)
  await erase(inPayment)
  now = new Date(aDay.getTime() + 3 * minute)
  await backUp(store)
  writeFileSync(join(store, 'podium-2099-01-01-000000.backup'), 'nothing')
  // An older version wrote its list next to the backups.
  const line = { at: now.toISOString(), requestId: 4, studentIds: [listed, 999_999_999] }
  writeFileSync(join(beside, 'erased.jsonl'), `${JSON.stringify(line)}\n{"at":"20`)
  const { database, output, done } = await restoredFrom(old.path, {
    stores: [beside, store],
    folders: [beside],
  })

  assert.equal((await rowOf(database, child)).name, 'Erased')
  assert.equal((await rowOf(database, other)).name, named)
  assert.match(output, new RegExp(`request ${request}  student ${child}`))
  assert.match(output, new RegExp(`Erasures after ${now.toISOString()} are not known`))
  const { state } = await database.db
    .selectFrom('data_requests')
    .select('state')
    .where('id', '=', request)
    .executeTakeFirstOrThrow()
  assert.equal(state, 'done', 'the request is still open')
  const lines = await database.db
    .selectFrom('audit')
    .select('subject_id')
    .where('action', '=', 'student.erased_again')
    .where('actor_name', '=', 'Restore')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    lines.map((line) => Number(line.subject_id)),
    [child, inPayment, listed],
  )

  await step.test('a restore reports that the newest backup is damaged, and reads the one before it', () => {
    assert.match(output, /podium-2099-01-01-000000\.backup can't be read: This file is no backup/)
  })

  await step.test(
    'an erased student of a payment under verification stays in that payment without a name',
    async () => {
      assert.deepEqual(await rowOf(database, inPayment), { name: 'Erased', active: true, locked: true })
    },
  )

  await step.test('an id that now belongs to another student erases no one', async () => {
    assert.equal((await rowOf(database, later)).name, 'Another')
  })

  await step.test(
    'a list of an older version counts too, and its unreadable lines are reported',
    async () => {
      assert.equal((await rowOf(database, listed)).name, 'Erased')
      assert.equal(done, false)
      assert.match(output, /1 lines of erased\.jsonl .* can't be read/)
    },
  )

  await step.test('the next backup contains the whole list', async () => {
    const next = folderOfBackups(temporaryFolder('podium-backups-'))
    now = new Date(aDay.getTime() + 4 * minute)
    const files = createFileStore(temporaryFolder('podium-restored-'))
    await storeBackup({ database, files, secret, store: next, clock: () => now }, { madeBy: 'command' })
    const list = await newestErasureList(next, [secret], aDay.toISOString(), assert.fail)
    const { rows } = await sql<{ id: number }>`select student_id as id from erasures
      order by id`.execute(database.db)
    assert.deepEqual(list?.erasures.map(({ studentId }) => studentId).sort(), valuesOf(rows, 'id').sort())
    for (const id of [child, inPayment, listed, later]) assert.ok(rows.some((row) => row.id === id))
  })
  now = aDay
})

test('a restore without a newer backup or the old database warns that later erasures are unknown', async () => {
  const folder = temporaryFolder('podium-backups-')
  const child = await aChild()
  const made = await backUp(folder)
  await erase(child)
  const { database, output } = await restoredFrom(made.path, { stores: [folder], replaced: '/nowhere' })
  assert.equal((await rowOf(database, child)).name, named)
  assert.match(output, /given up can't be read: there is no database in \/nowhere/)
  assert.match(output, new RegExp(`WHO WAS ERASED AFTER ${aDay.toISOString()} IS NOT KNOWN.*${folder}`))
})

test('a restore asks the abandoned database itself, by its address or its data folder', async () => {
  const child = await aChild()
  const made = await backUp(temporaryFolder('podium-backups-'))
  await erase(child)
  for (const replaced of [server.database.pool.options.connectionString, await abandonedFolder(child)]) {
    const { database, output } = await restoredFrom(made.path, { replaced: replaced ?? '' })
    assert.equal((await rowOf(database, child)).name, 'Erased')
    assert.match(output, /the database that is given up/)
  }
})

/** A data folder whose database lists the erasure. */
async function abandonedFolder(child: number): Promise<string> {
  const dataDir = await freshDataDir()
  const database = await openDatabase({ dataDir, durable: false, onError: assert.fail })
  const { rows } = await server.database.pool.query('select * from erasures where student_id = $1', [child])
  const list = rows.map((row) => ({
    studentId: row.student_id,
    enteredAt: row.entered_at,
    at: row.at,
    requestId: row.request_id,
  }))
  await addErasures(database.db, list)
  await database.close()
  return dataDir
}

test('a start loads a list of an older version into the table once', async () => {
  const folder = temporaryFolder('podium-backups-')
  const child = await aChild()
  const at = new Date(aDay.getTime() + minute).toISOString()
  const list = join(folder, 'erased.jsonl')
  writeFileSync(list, `${JSON.stringify({ at, requestId: 4, studentIds: [child] })}\n`)
  const { backupDir: _, ...others } = server.deps.settings
  const another = await testServer({
    log: createLogger('silent'),
    settings: { ...others, backupDir: folder },
  })
  assert.equal(existsSync(list), false)
  const back = (await restoredErasures(another.deps.db)).map(({ studentId }) => studentId)
  assert.deepEqual(back, [child])
})

test('a portal does not start on a database whose restore was interrupted', async () => {
  const folder = temporaryFolder('podium-backups-')
  const { path } = await backUp(folder)
  const database = await emptyDatabase()
  const files = createFileStore(temporaryFolder('podium-restored-'))
  const breaks = {
    stores: [],
    folders: [],
    eraseAgain,
    clock: (): Date => {
      throw new Error('broken off')
    },
    print: () => undefined,
  }
  const open = async () => createReadStream(path)
  await assert.rejects(restorePortal({ database, files, secret, open, ...breaks }), /broken off/)
  await assert.rejects(refuseUnfinished(database), /broken off before its end/)
})
