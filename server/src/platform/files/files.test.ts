import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { filesOf } from '#test/archives'
import { temporaryFolder, testDatabase } from '#test/database'
import { isShutIn } from '#test/program'
import { valuesOf } from '#test/rows'
import { concurrencyLimit } from '../concurrency-limit.ts'
import type { Db } from '../db/database.ts'
import { sourceOf } from '../sheets/spreadsheet-rows.ts'
import { createFileStore, readStored, safeName, storeFile, sweepFiles } from './files.ts'
import { acceptUpload, filesConfinement } from './files-accept.ts'
import { filesInspected, type InspectionResult, sandbox } from './sandbox.ts'
import { joinedSize, joinZips, type ZipEntry, zip } from './zip.ts'

let db: Db
before(async () => {
  db = (await testDatabase()).db
})
const now = new Date('2026-11-21T06:30:00Z')

test('a file is stored under its content and found by an id that no one can guess', async () => {
  const files = createFileStore(temporaryFolder('podium-files-'))
  const bytes = Buffer.from(`proof ${randomInt(1e9)}`)
  const put = () =>
    db
      .transaction()
      .execute((tx) =>
        storeFile(tx, files, now, {
          schoolId: 7,
          kind: 'payment-proof',
          name: 'slip.png',
          mediaType: 'image/png',
          bytes,
        }),
      )
  const [firstId, two] = [await put(), await put()]
  assert.match(firstId, /^[A-Za-z0-9_-]{22}$/)
  assert.notEqual(firstId, two)
  const stored = await readStored(db, files, firstId, { schoolId: 7, kind: 'payment-proof' })
  assert.ok(stored?.content.equals(bytes))
  assert.equal(stored?.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal(stored?.name, 'slip.png')
  assert.deepEqual(stored?.createdAt, now)
})

test("another school's file is not found, nor one of another kind", async () => {
  const files = createFileStore(temporaryFolder('podium-files-'))
  const id = await db
    .transaction()
    .execute((tx) =>
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

test('no half-written file remains in the folder', async () => {
  const dataDir = temporaryFolder('podium-files-')
  const files = createFileStore(dataDir)
  const hashes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => files.put(Buffer.from(`${index % 3}`))),
  )
  assert.equal(new Set(valuesOf(hashes, 'sha256')).size, 3)
  const names = await readdir(join(dataDir, 'files'), { recursive: true })
  assert.equal(names.filter((name) => name.includes('.')).length, 0)
  assert.equal(names.filter((name) => name.length > 60).length, 3)
})

test('the name of a file cannot be used as a path', () => {
  assert.equal(safeName('../../etc/passwd'), 'passwd')
  assert.equal(safeName('C:\\Users\\Meera\\slip 1.png'), 'slip 1.png')
  assert.equal(safeName('.htaccess'), 'htaccess')
  assert.equal(safeName('gpj.\u202eexe'), 'gpj.exe')
  assert.equal(safeName('a"b\r\nc.pdf'), 'a_b _c.pdf')
  assert.equal(safeName(''), 'file')
  assert.equal(safeName(`${'क'.repeat(300)}.pdf`).length, 100)
  assert.ok(safeName(`${'क'.repeat(300)}.pdf`).endsWith('.pdf'))
  const certificates =
    'Certificates Mathematics 2025-26 TUM0088 Tiruvalluvar Udaharanam Matriculation Higher Secondary'
  assert.equal(safeName(`${certificates} School.pdf`), `${certificates}.pdf`)
})

test('contents that no row names are deleted after a day, and others stay', async () => {
  const dataDir = temporaryFolder('podium-files-')
  const files = createFileStore(dataDir)
  const { sha256: orphan } = await files.put(Buffer.from('orphan'))
  const { sha256: young } = await files.put(Buffer.from('young'))
  const id = await db
    .transaction()
    .execute((tx) =>
      storeFile(tx, files, now, {
        kind: 'receipt',
        name: 'a',
        mediaType: 'application/pdf',
        bytes: Buffer.from('kept'),
      }),
    )
  const keptHash = (await readStored(db, files, id))?.sha256 ?? ''
  const old = new Date(now.getTime() - 2 * 86_400_000)
  for (const hash of [orphan, keptHash])
    await utimes(join(dataDir, 'files', hash.slice(0, 2), hash), old, old)
  await utimes(join(dataDir, 'files', young.slice(0, 2), young), now, now)
  assert.equal(await sweepFiles(db, files, now), 1)
  await assert.rejects(files.read(orphan))
  assert.equal(String(await files.read(young)), 'young')
  assert.equal(String((await readStored(db, files, id))?.content), 'kept')
})

const entry = (name: string, content = `contents of ${name}`): ZipEntry => ({
  name,
  content: Buffer.from(content),
})

test('an archive contains its files under their names, also Hindi ones and in folders, or none at all', async () => {
  const entries = [entry('KPS0102/Class 5.pdf'), entry('राजकीय विद्यालय.pdf'), entry('empty.pdf', '')]
  assert.deepEqual(await filesOf(zip(entries)), entries)
  assert.deepEqual(await filesOf(zip([])), [])
})

test('joined archives become one with the files of all, in their order', async () => {
  const parts = [
    [entry('a.pdf'), entry('b.pdf', 'x'.repeat(70_000))],
    [],
    [entry('ग.pdf')],
    [entry('d.pdf'), entry('e.pdf')],
  ]
  const archives = parts.map((part) => zip(part))
  const pieces: Buffer[] = []
  for await (const piece of joinZips(archives)) pieces.push(piece)
  const joined = Buffer.concat(pieces)
  assert.deepEqual(await filesOf(joined), parts.flat())
  assert.equal(joined.length, joinedSize(valuesOf(archives, 'length')))
})

test('an archive with wrong offsets cannot be read: the tests above would notice', async () => {
  const whole = zip([entry('a.pdf'), entry('b.pdf')])
  await assert.rejects(filesOf(Buffer.concat([whole.subarray(0, 5), whole.subarray(6)])))
})

const picture = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#e6a70f80' } })
    .png()
    .toBuffer()

test('a file that takes too long is refused, and the next one is checked all the same', async () => {
  const large = await picture(4_900)
  await assert.rejects(acceptUpload(large, 0), { code: 'file.damaged' })
  assert.equal((await acceptUpload(await picture(40))).mediaType, 'image/png')
})

test('of many files at once each is answered, or told to try again', async () => {
  const small = await picture(40)
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => acceptUpload(small)))
  const codes = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.mediaType : outcome.reason.code,
  )
  assert.deepEqual([...new Set(codes)].sort(), ['busy', 'image/png'])
  assert.equal(codes.filter((code) => code === 'image/png').length, 22)
})

test('the process that checks files can reach no other file, no program and no network', () =>
  isShutIn(filesConfinement))

const scripts = mkdtempSync(join(tmpdir(), 'podium-sandbox-'))
after(() => rmSync(scripts, { recursive: true, force: true }))

/** Returns a sandbox whose process runs this code on the file. */
function doing(code: string) {
  const script = join(scripts, `${++made}.mjs`)
  writeFileSync(script, code)
  const confinement = { kind: 'test', script, readable: [], addons: false, megabytes: 24, resident: 300 }
  return sandbox<object, InspectionResult>(confinement, concurrencyLimit(1, 1))
}
let made = 0
const outcomeOf = async (code: string, time = 60_000) => {
  const looked = doing(code)
    .look({}, sourceOf(Buffer.from('sent')), time, 'file.damaged')
    .next()
  return looked.then(
    () => 'looked at',
    (thrown: { code: string; status: number }) => [thrown.code, thrown.status],
  )
}

test('exceeding a limit is blamed on the file, and a crash of the process is not', async () => {
  const keeps = 'const all = []; for (;;) all.push({ some: [all.length] })'
  const outside = 'const all = []; for (;;) all.push(Buffer.alloc(4 * 1024 * 1024, 1))'
  const forEver = 'setInterval(() => undefined, 1000)'
  const damaged = ['file.damaged', 400]
  assert.deepEqual(await outcomeOf(keeps), damaged)
  assert.deepEqual(await outcomeOf(outside), damaged)
  assert.deepEqual(await outcomeOf(forEver, 300), damaged)
  const notLookedAt = ['file.not_looked_at', 503]
  assert.deepEqual(await outcomeOf('process.exit(3)'), notLookedAt)
  assert.deepEqual(await outcomeOf('throw new Error("of ours")'), notLookedAt)
  assert.deepEqual(await outcomeOf("process.kill(process.pid, 'SIGSEGV')"), notLookedAt)
  // As the system does when memory runs out.
  assert.deepEqual(await outcomeOf("process.kill(process.pid, 'SIGKILL')"), notLookedAt)
  const { values } = await filesInspected.get()
  const counted = values.flatMap(({ labels, value }) =>
    labels.kind === 'test' ? [[labels.outcome, value]] : [],
  )
  assert.deepEqual(Object.fromEntries(counted), { memory: 2, time: 1, died: 4 })
})
