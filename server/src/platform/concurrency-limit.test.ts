import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concurrencyLimit } from './concurrency-limit.ts'

test('a set number of callers run at once, a set number wait, and the next one is told that the server is busy', async () => {
  const turn = concurrencyLimit(2, 1)
  const [release] = await Promise.all([turn(), turn()])
  let third = false
  const waits = turn().then((end) => {
    third = true
    return end
  })
  await assert.rejects(turn(), { code: 'busy' })
  assert.equal(third, false)
  release?.()
  release?.()
  const end = await waits
  assert.equal(third, true)
  end()
  await turn()
  await assert.rejects(Promise.all([turn(), turn()]), { code: 'busy' })
})
