import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { atEnd, migratedDatabase, temporaryFolder } from '#test/database'
import { anS3Peer, s3Keys } from '#test/s3-peer'

const root = join(import.meta.dirname, '../../..')

interface Instance {
  child: ChildProcess
  ended: Promise<unknown>
  /** What it printed until it served or ended */
  said: string
  serves: boolean
}

/** The real program in a process of its own, until it serves or has ended. */
async function started(url: string, settings: Record<string, string>): Promise<Instance> {
  const env = {
    PATH: process.env.PATH,
    SECRET: 'a secret that only the tests know, long enough',
    DEMO: 'off',
    PORT: '0',
    DATABASE_URL: url,
    ...settings,
  }
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let said = ''
  const serves = await new Promise<boolean>((decided) => {
    const hear = (words: Buffer) => {
      said += words.toString()
      if (said.includes('Podium is at')) decided(true)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('close', () => decided(false))
  })
  return { child, ended, said, serves }
}

async function ended({ child, ended: gone }: Instance, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await gone
}

test('instances on one database that do not share files or backups are refused, and others run beside each other', async (step) => {
  const database = await migratedDatabase()
  const url = database.pool.options.connectionString ?? ''
  const [files, backups] = [temporaryFolder('podium-files-'), temporaryFolder('podium-backups-')]
  const shared = { FILES_URL: pathToFileURL(files).href, BACKUP_URL: pathToFileURL(backups).href }
  const alone = () => ({ DATA_DIR: temporaryFolder('podium-data-') })
  const first = await started(url, { ...alone(), ...shared })
  assert.equal(first.serves, true, first.said)

  await step.test('one with files of its own is refused with one line that names FILES_URL', async () => {
    const divided = await started(url, { ...alone(), BACKUP_URL: shared.BACKUP_URL })
    assert.equal(divided.serves, false, 'it runs')
    assert.match(
      divided.said,
      /^FILES_URL must name what all instances on one database share: .*sent files are not in .*\n$/,
    )
    assert.equal(divided.child.exitCode, 1)
  })

  await step.test('one with backups of its own is refused with one line that names BACKUP_URL', async () => {
    const divided = await started(url, { ...alone(), FILES_URL: shared.FILES_URL })
    assert.equal(divided.serves, false, 'it runs')
    assert.match(divided.said, /^BACKUP_URL must name .*backups are not in .*\n$/)
  })

  await step.test('so is one whose files go into a bucket that the others do not have', async () => {
    const { endpoint } = await anS3Peer()
    const divided = await started(url, {
      ...alone(),
      ...shared,
      FILES_URL: `s3://kept/sent?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
    assert.equal(divided.serves, false, 'it runs')
    assert.match(divided.said, /^FILES_URL must name .*sent files are not in s3:\/\/kept\/sent\n$/)
  })

  const registered = async () => (await database.pool.query('select id from instances')).rowCount
  await step.test(
    'one that shares both runs beside it, and is gone from the register when it ends',
    async () => {
      const second = await started(url, { ...alone(), ...shared })
      assert.equal(second.serves, true, second.said)
      assert.equal(await registered(), 2)
      await ended(second, 'SIGTERM')
      assert.equal(await registered(), 1, 'one that ended, or was refused, is still registered')
    },
  )

  await step.test(
    'after one that was killed the next one may lie elsewhere once a minute has passed',
    async () => {
      await ended(first, 'SIGKILL')
      assert.equal((await started(url, alone())).serves, false, 'the killed one was heard of a moment ago')
      await database.pool.query(`update instances set seen_at = now() - interval '61 seconds'`)
      const next = await started(url, alone())
      assert.equal(next.serves, true, next.said)
      await ended(next, 'SIGTERM')
    },
  )
})
