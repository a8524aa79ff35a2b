import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { turns } from '../concurrency-limit.ts'
import { sourceOf } from '../sheets/spreadsheet-rows.ts'
import { acceptUpload, filesConfinement } from './files-accept.ts'
import { confinementOf, type LookedAt, lookedAt, sandbox } from './sandbox.ts'

const picture = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#e6a70f80' } })
    .png()
    .toBuffer()

test('a file that takes longer than it may is refused, and the next one is looked at all the same', async () => {
  const large = await picture(4_900)
  await assert.rejects(acceptUpload(large, 0), { code: 'file.damaged' })
  assert.equal((await acceptUpload(await picture(40))).mediaType, 'image/png')
})

test('of many files at once each is answered, or told to come again', async () => {
  const small = await picture(40)
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => acceptUpload(small)))
  const codes = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.mediaType : one.reason.code))
  assert.deepEqual([...new Set(codes)].sort(), ['busy', 'image/png'])
  assert.equal(codes.filter((code) => code === 'image/png').length, 22)
})

test('the process that looks at files can reach no other file, no program and no network', () => {
  const attempt = (code: string) =>
    spawnSync(process.execPath, [...confinementOf(filesConfinement), '-e', code], {
      env: {},
      encoding: 'utf8',
    })
  const root = join(import.meta.dirname, '../../../..')
  for (const code of [
    `fs.readFileSync(${JSON.stringify(join(root, 'package.json'))})`,
    `fs.readFileSync('/etc/hostname')`,
    `fs.writeFileSync(${JSON.stringify(join(import.meta.dirname, '../x.tmp'))}, '')`,
    `child_process.execSync('true')`,
    `fetch('http://127.0.0.1:8999').catch((thrown) => { throw thrown.cause })`,
  ]) {
    assert.match(attempt(code).stderr, /ERR_ACCESS_DENIED/, code)
  }
  assert.equal(attempt('process.stdout.write(String(Object.keys(process.env)))').stdout, '')
})

const scripts = mkdtempSync(join(tmpdir(), 'podium-sandbox-'))
after(() => rmSync(scripts, { recursive: true, force: true }))

/** A process that does this with what it is sent. */
function doing(code: string) {
  const script = join(scripts, `${++made}.mjs`)
  writeFileSync(script, code)
  const confinement = { kind: 'test', script, readable: [], addons: false, megabytes: 24, resident: 300 }
  return sandbox<object, LookedAt>(confinement, turns(1, 1))
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

test('what takes too much is told to be the file, and a process that ends otherwise is not', async () => {
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
  // As the system does where the machine has no memory left.
  assert.deepEqual(await outcomeOf("process.kill(process.pid, 'SIGKILL')"), notLookedAt)
  const { values } = await lookedAt.get()
  const counted = values.flatMap(({ labels, value }) =>
    labels.kind === 'test' ? [[labels.outcome, value]] : [],
  )
  assert.deepEqual(Object.fromEntries(counted), { memory: 2, time: 1, died: 4 })
})
