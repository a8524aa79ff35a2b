import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { temporaryFolder, testDatabase } from '#test/database'
import type { Db } from '../db/database.ts'
import { createFileStore, readStored, safeName, storeFile, sweepFiles } from './files.ts'

let db: Db
before(async () => {
  db = (await testDatabase()).db
})
const now = new Date('2026-11-21T06:30:00Z')

test('a file is kept under its content and found by an id that nobody can guess', async () => {
  const files = createFileStore(temporaryFolder('podium-files-'))
  const bytes = Buffer.from(`proof ${randomInt(1e9)}`)
  const put = () =>
    db.transaction().execute((tx) =>
      storeFile(tx, files, now, {
        schoolId: 7,
        kind: 'payment-proof',
        name: 'slip.png',
        mediaType: 'image/png',
        bytes,
      }),
    )
  const [one, two] = [await put(), await put()]
  assert.match(one, /^[A-Za-z0-9_-]{22}$/)
  assert.notEqual(one, two)
  const stored = await readStored(db, files, one, { schoolId: 7, kind: 'payment-proof' })
  assert.ok(stored?.content.equals(bytes))
  assert.equal(stored?.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal(stored?.name, 'slip.png')
  assert.deepEqual(stored?.createdAt, now)
})

test("another school's file is not found, nor one of another kind", async () => {
  const files = createFileStore(temporaryFolder('podium-files-'))
  const id = await db.transaction().execute((tx) =>
    storeFile(tx, files, now, {
      schoolId: 7,
      kind: 'receipt',
      name: 'a',
      mediaType: 'application/pdf',
      bytes: Buffer.from('a'),
    }),
  )
  assert.equal(await readStored(db, files, id, { schoolId: 8 }), undefined)
  assert.equal(await readStored(db, files, id, { schoolId: 7, kind: 'payment-proof' }), undefined)
  assert.equal(await readStored(db, files, 'unknown'), undefined)
})

test('no half-written file stays in the folder', async () => {
  const dataDir = temporaryFolder('podium-files-')
  const files = createFileStore(dataDir)
  const hashes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => files.put(Buffer.from(`${index % 3}`))),
  )
  assert.equal(new Set(hashes.map(({ sha256 }) => sha256)).size, 3)
  const names = await readdir(join(dataDir, 'files'), { recursive: true })
  assert.equal(names.filter((name) => name.includes('.')).length, 0)
  assert.equal(names.filter((name) => name.length > 60).length, 3)
})

test('the name of a file is no path and no trap', () => {
  assert.equal(safeName('../../etc/passwd'), 'passwd')
  assert.equal(safeName('C:\\Users\\Meera\\slip 1.png'), 'slip 1.png')
  assert.equal(safeName('.htaccess'), 'htaccess')
  assert.equal(safeName('gpj.\u202eexe'), 'gpj.exe')
  assert.equal(safeName('a"b\r\nc.pdf'), 'a_b _c.pdf')
  assert.equal(safeName(''), 'file')
  assert.equal(safeName(`${'क'.repeat(300)}.pdf`).length, 100)
  assert.ok(safeName(`${'क'.repeat(300)}.pdf`).endsWith('.pdf'))
})

test('contents that no row names are swept away after a day, others stay', async () => {
  const dataDir = temporaryFolder('podium-files-')
  const files = createFileStore(dataDir)
  const { sha256: orphan } = await files.put(Buffer.from('orphan'))
  const { sha256: young } = await files.put(Buffer.from('young'))
  const id = await db.transaction().execute((tx) =>
    storeFile(tx, files, now, {
      kind: 'receipt',
      name: 'a',
      mediaType: 'application/pdf',
      bytes: Buffer.from('kept'),
    }),
  )
  const kept = (await readStored(db, files, id))?.sha256 ?? ''
  const old = new Date(now.getTime() - 2 * 86_400_000)
  for (const hash of [orphan, kept]) await utimes(join(dataDir, 'files', hash.slice(0, 2), hash), old, old)
  await utimes(join(dataDir, 'files', young.slice(0, 2), young), now, now)
  assert.equal(await sweepFiles(db, files, now), 1)
  await assert.rejects(files.read(orphan))
  assert.equal(String(await files.read(young)), 'young')
  assert.equal(String((await readStored(db, files, id))?.content), 'kept')
})
