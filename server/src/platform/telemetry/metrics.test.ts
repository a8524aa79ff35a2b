import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { beforehand, testServer } from '#test/server'
import { enqueueJob } from '../jobs/jobs.ts'
import { enqueueMail } from '../jobs/outbox.ts'

const now = new Date('2026-11-21T06:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const server = beforehand(() => testServer({ clock: () => now }))

/** Returns every figure of /metrics by name and labels. */
async function figures(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

test('the metrics include what waits, what failed and the age of the last good backup', async () => {
  const { db } = server.deps
  await sql`delete from outbox`.execute(db)
  await sql`delete from backups`.execute(db)
  await db.transaction().execute(async (tx) => {
    for (const key of ['first', 'second', 'third'])
      await enqueueMail(tx, ago(key === 'first' ? 900 : 60), {
        key: `metrics:${key}`,
        kind: 'otp',
        to: { name: 'Asha', address: 'asha@school.example' },
        subject: 'A mail',
        text: 'A mail.',
      })
    await enqueueJob(tx, ago(120), { kind: 'metrics.test', input: {} })
    await enqueueJob(tx, ago(600), { kind: 'metrics.test', input: {} })
    const failed = await enqueueJob(tx, ago(700), { kind: 'metrics.test', input: {} })
    await sql`update jobs set state = 'failed', error = ${sentences.jobFailed} where id = ${failed}`.execute(
      tx,
    )
    const refused = await enqueueJob(tx, ago(700), { kind: 'metrics.test', input: {} })
    await sql`update jobs set state = 'failed', error = 'This spreadsheet is empty.' where id = ${refused}`.execute(
      tx,
    )
    await sql`update outbox set failed_at = ${now} where key = 'metrics:third'`.execute(tx)
    await sql`insert into backups (made_by, started_at, verified_at) values
      ('night', ${ago(7200)}, ${ago(7000)}), ('night', ${ago(100)}, null)`.execute(tx)
  })
  const read = await figures(server.url)
  const expected = {
    podium_outbox_waiting: 2,
    podium_outbox_oldest_seconds: 900,
    podium_outbox_given_up: 1,
    'podium_jobs{kind="metrics.test",state="waiting"}': 2,
    'podium_jobs{kind="metrics.test",state="running"}': 0,
    'podium_jobs{kind="metrics.test",state="failed"}': 1,
    // The file's fault: whoever started it reads why, and no operator is called.
    'podium_jobs{kind="metrics.test",state="refused"}': 1,
    'podium_jobs_oldest_seconds{kind="metrics.test"}': 600,
    podium_backup_age_seconds: 7200,
    podium_database_up: 1,
    'podium_database_connections{state="waiting"}': 0,
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, read.get(name)])), expected)
  const newest = await sql<{ name: string }>`select max(name) as name from schema_migrations`.execute(db)
  const name = newest.rows[0]?.name ?? ''
  assert.equal(read.get(`podium_migration{name="${name}"}`), Number.parseInt(name, 10))
  await sql`delete from jobs where kind = 'metrics.test'`.execute(db)
})

test('a wrong password counts as a failed sign-in, and one too many as refused by a limit', async () => {
  const strict = await testServer({ clock: () => now, limitScale: 1 })
  const counted = async () => {
    const read = await figures(strict.url)
    return [
      read.get('podium_sign_in_failures_total{door="school"}'),
      read.get('podium_refusals_total{code="request.too_many",status="429"}'),
    ]
  }
  assert.deepEqual(await counted(), [0, 0])
  let wrong = 0
  let status = 200
  while (status === 200 && wrong < 100) {
    const body = { emailId: 'metrics@school.example', password: 'Wrong-password-42' }
    ;({ status } = await strict.send(login, { body }))
    if (status === 200) wrong += 1
  }
  assert.equal(status, 429)
  assert.deepEqual(await counted(), [wrong, 1])
})

test('the rules and the dashboard in ops name only metrics that are served', async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const served = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '']) => name))
  for (const file of ['alerts.yaml', 'grafana.json']) {
    const text = await readFile(new URL(`../../../../ops/${file}`, import.meta.url), 'utf8')
    const named = [...text.matchAll(/\b(?:podium|process|nodejs)_[a-z_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|count|sum)$/, ''),
    )
    assert.ok(named.length > 5, file)
    assert.deepEqual(
      named.filter((name) => !served.has(name)),
      [],
      file,
    )
  }
})
