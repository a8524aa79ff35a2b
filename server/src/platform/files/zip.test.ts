import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOf } from '../../../test/archives.ts'
import { joinedSize, joinZips, type ZipEntry, zip } from './zip.ts'

const entry = (name: string, content = `contents of ${name}`): ZipEntry => ({
  name,
  content: Buffer.from(content),
})

test('an archive holds its files under their names, Hindi and folders too, and none where there is none', async () => {
  const entries = [entry('KPS0102/Class 5.pdf'), entry('राजकीय विद्यालय.pdf'), entry('empty.pdf', '')]
  assert.deepEqual(await filesOf(zip(entries)), entries)
  assert.deepEqual(await filesOf(zip([])), [])
})

test('joined archives are one with the files of all, in their order', async () => {
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
  assert.equal(joined.length, joinedSize(archives.map(({ length }) => length)))
})

test('an archive whose places are wrong is not read: the tests above would see it', async () => {
  const whole = zip([entry('a.pdf'), entry('b.pdf')])
  await assert.rejects(filesOf(Buffer.concat([whole.subarray(0, 5), whole.subarray(6)])))
})
