import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { acceptUpload, filesConfinement } from './files-accept.ts'
import { confinementOf } from './sandbox.ts'

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
  const root = join(import.meta.dirname, '../../..')
  for (const code of [
    `fs.readFileSync(${JSON.stringify(join(root, 'package.json'))})`,
    `fs.readFileSync('/etc/hostname')`,
    `fs.writeFileSync(${JSON.stringify(join(import.meta.dirname, 'x.tmp'))}, '')`,
    `child_process.execSync('true')`,
    `fetch('http://127.0.0.1:8999').catch((thrown) => { throw thrown.cause })`,
  ]) {
    assert.match(attempt(code).stderr, /ERR_ACCESS_DENIED/, code)
  }
  assert.equal(attempt('process.stdout.write(String(Object.keys(process.env)))').stdout, '')
})
