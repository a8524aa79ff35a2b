import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDataDir } from '#test/database'
import { type Program, startProgram, until } from '#test/program'

const statusOf = async ({ url }: Program, path: string) => {
  const answer = await fetch(`${url}${path}`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status
}

const draining = (portal: Program) =>
  until(async () => ((await statusOf(portal, '/readyz')) === 503 ? true : undefined), '/readyz says 503')

test('a portal that is told to stop says that it is not ready, and serves until its drain is over', async () => {
  const portal = await startProgram({ DATA_DIR: await freshDataDir(), DRAIN_SECONDS: '600' })
  assert.equal(await statusOf(portal, '/readyz'), 200)
  portal.child.kill('SIGTERM')
  await draining(portal)
  for (let call = 0; call < 20; call++) {
    assert.equal(await statusOf(portal, '/readyz'), 503)
    assert.equal(await statusOf(portal, '/healthz'), 200)
    // One that asks the database
    assert.equal(await statusOf(portal, '/api/Account/GetCountry'), 200)
  }
  portal.child.kill('SIGTERM')
  assert.equal(await portal.ended, 0, portal.printed.err)
  assert.equal(await statusOf(portal, '/healthz'), undefined)
})

test('a drain ends by itself, and the portal with it', async () => {
  const portal = await startProgram({ DATA_DIR: await freshDataDir(), DRAIN_SECONDS: '1' })
  portal.child.kill('SIGTERM')
  await draining(portal)
  assert.equal(await portal.ended, 0, portal.printed.err)
})
