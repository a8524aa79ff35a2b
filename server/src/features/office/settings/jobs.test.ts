import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJobs, officeJobs, stopJob } from '@podium/contract/office/calls-settings'
import { enqueueJob } from '#platform/jobs/jobs'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import { newestChange, takeCsv } from '#test/file-call'
import { beforehand, refused, testServer } from '#test/server'

const now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('operations'))

test('a waiting background job is stopped once; an ended or unknown job cannot be stopped', async () => {
  const later = new Date(now.getTime() + 86_400_000)
  const id = await server.deps.db
    .transaction()
    .execute((tx) => enqueueJob(tx, now, { kind: 'test.work', input: {}, total: 7, dueAt: later }))
  const body = await server.ask(officeJobs, {}, officer)
  assert.equal(body.data.find((row) => row.id === id)?.total, 7)
  const stop = (which: string, by = officer) => server.send(stopJob, { body: { id: which } }, by)
  assert.equal((await stop(id, await anOfficer('viewer'))).status, 403)
  assert.equal((await stop(id)).status, 200)
  await refused('jobs.ended', stop(id))
  assert.equal((await stop('nowhere')).status, 404)
})

test('only the office exports the background jobs of a status, in words, and the export is logged', async () => {
  const dueAt = new Date(now.getTime() + 86_400_000)
  const work = (kind: string) => ({ kind, input: {}, total: 7, dueAt })
  const id = await server.deps.db.transaction().execute((tx) => enqueueJob(tx, now, work('schools.letters')))
  const take = (state: 'open' | 'failed', by: { token: string }) => takeCsv(server, exportJobs, { state }, by)
  const viewer = await anOfficer('viewer')
  assert.match((await take('open', viewer)).text, /^Letters to schools,,Waiting,0,7,,/m)
  const change = (await newestChange('job.exported')) as Record<string, unknown>
  assert.deepEqual([change.format, change.filters], ['csv', { state: 'open', search: '' }])
  assert.doesNotMatch((await take('failed', viewer)).text, /Letters to schools/)
  assert.equal((await take('open', await aTeacher())).status, 403)
  assert.equal((await server.send(stopJob, { body: { id } }, officer)).status, 200)
})

test('a background job is found by its name in either language, within its status', async () => {
  const db = server.deps.db
  const dueAt = new Date(now.getTime() + 86_400_000)
  const work = (kind: string) =>
    db.transaction().execute((tx) => enqueueJob(tx, now, { kind, input: {}, total: 7, dueAt }))
  const [papers, payments] = [await work('exams.papers'), await work('bank-book')]
  const found = async (search: string, state: 'open' | 'failed' = 'open') => {
    const body = await server.ask(officeJobs, { state, search }, officer)
    assert.equal(body.total, body.data.length)
    return body.data.map(({ id }) => id)
  }
  assert.deepEqual(await found('exam PAP'), [papers])
  assert.deepEqual(await found('परीक्षा पत्र'), [papers])
  assert.deepEqual(await found('Bank matches'), [payments])
  assert.deepEqual(await found('exam papers', 'failed'), [])
  assert.deepEqual(await found('nothing is called this'), [])
  const { text } = await takeCsv(server, exportJobs, { state: 'open', search: 'exam papers' }, officer)
  const rows = text.trim().split('\n').slice(1)
  assert.deepEqual([rows.length, rows[0]?.startsWith('Exam papers,')], [1, true])
  assert.equal((await server.send(officeJobs, { query: { search: 'x'.repeat(101) } }, officer)).status, 400)
})
