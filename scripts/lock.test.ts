import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tree } from './fixture.ts'
import { withLock } from './lock.mjs'

test('two starts at once do their work one after the other, and the second says that it is waiting', async () => {
  using folder = tree({})
  const file = join(folder.root, 'lock')
  const messages: string[] = []
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await new Promise((turn) => setImmediate(turn))
    order.push(`${name} ends`)
  }
  const say = (line: string) => void messages.push(line)
  await Promise.all([withLock(file, say, work('first')), withLock(file, say, work('second'))])
  assert.deepEqual(order, ['first begins', 'first ends', 'second begins', 'second ends'])
  assert.equal(messages.length, 1)
  assert.ok(!existsSync(file))
})

test('the lock of a killed start is ignored', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  using folder = tree({ lock: String(pid) })
  let worked = false
  await withLock(join(folder.root, 'lock'), assert.fail, async () => {
    worked = true
  })
  assert.ok(worked)
})

test('work that fails releases the lock', async () => {
  using folder = tree({})
  const file = join(folder.root, 'lock')
  await assert.rejects(
    withLock(file, assert.fail, () => Promise.reject(new Error('no network'))),
    /no network/,
  )
  assert.ok(!existsSync(file))
})
