import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Contact, getContacts, saveContact } from '@podium/contract/schools/calls'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/database'
import { DatabaseRefused } from '#platform/db/database-fault'
import { atEnd, migratedDatabase, temporaryFolder, testDatabase } from '#test/database'
import { aContact, aDay, aSeason, aTeacher, thisSeason } from '#test/factories'
import { patient } from '#test/patient'
import { anS3Peer, s3Keys } from '#test/s3-peer'
import { type TestServer, testServer } from '#test/server'
import { type Pooler, startPooler } from '../../scripts/pgbouncer.ts'

type Teacher = Awaited<ReturnType<typeof aTeacher>>

const settings = ["timezone = 'UTC'", 'statement_timeout = 120000', 'lock_timeout = 120000', 'jit = off']
const idle = 'idle_in_transaction_session_timeout = 120000'

async function ofRole(...set: string[]): Promise<void> {
  const { pool } = await testDatabase()
  const { rows } = await pool.query<{ whose: string }>(
    "select format('%I in database %I', current_user, current_database()) as whose",
  )
  for (const item of set) await pool.query(`alter role ${rows[0]?.whose} ${item}`)
}

async function aPooler(): Promise<Pooler> {
  const { pool } = await testDatabase()
  const pooler = await startPooler(pool.options.connectionString ?? '')
  atEnd(() => pooler.stop())
  return pooler
}

function saved(server: TestServer, teacher: Teacher, name: string, id = 0) {
  return server.call(saveContact, { body: { ...aContact, id, name } }, teacher)
}

async function contactsOf(server: TestServer, teacher: Teacher): Promise<Contact[]> {
  const query = { FYear: thisSeason, schId: String(teacher.schoolId), status: '' as const }
  const body = await server.ask(getContacts, query, teacher)
  return body.data
}

suite('two instances behind a pooler in transaction mode', () => {
  let pooler: Pooler
  let instances: TestServer[]
  before(async () => {
    await ofRole(...settings.map((setting) => `set ${setting}`), `set ${idle}`)
    pooler = await aPooler()
    // They share files and backups, like instances of one portal.
    const dataDir = temporaryFolder('podium-shared-')
    const shared = { dataDir, filesDir: join(dataDir, 'files'), backupDir: join(dataDir, 'backups') }
    const pooled = {
      databaseUrl: pooler.url,
      databasePooler: 'transaction',
      databasePool: 4,
      ...shared,
    } as const
    const anInstance = () => testServer({ clock: () => aDay, settings: pooled })
    // At the same time: each finds the database migrated, or waits for the other.
    instances = await Promise.all([anInstance(), anInstance()])
    await aSeason()
  })

  test('each get the answers to their own queries', async () => {
    const queries = instances.flatMap(({ deps }, instance) =>
      Array.from({ length: 200 }, async (_, number) => {
        // The texts differ by instance, as they do when each has received calls in a different order.
        const column = sql.raw(`asked_by_${instance}_${number % 7}`)
        const { rows } = await sql<Record<string, number>>`select ${number}::int
          as ${column}`.execute(deps.db)
        assert.deepEqual(rows, [{ [`asked_by_${instance}_${number % 7}`]: number }])
      }),
    )
    await Promise.all(queries)
  })

  test('what one writes the other reads, call by call', async () => {
    const teachers = await Promise.all(Array.from({ length: 6 }, () => aTeacher()))
    await Promise.all(
      teachers.map(async (teacher, index) => {
        for (let round = 0; round < 6; round++) {
          const [writer, reader] = (round + index) % 2 === 0 ? instances : [...instances].reverse()
          assert.ok(writer && reader)
          const name = `Hemant ${'abcdef'[index]} ${'uvwxyz'[round]}`
          const { status, body } = await saved(writer, teacher, name)
          assert.equal(status, 200, body.message)
          const names = (await contactsOf(reader, teacher)).map((contact) => contact.name)
          assert.equal(names.length, round + 1)
          assert.ok(names.includes(name), `${name} is not among ${names}`)
        }
      }),
    )
  })

  test('an instance not told of the pooler ends with a line that names the setting', async () => {
    const unaware = await Promise.all(
      [1, 2].map(() => openDatabase({ ...patient, url: pooler.url, dataDir: '', onError: () => undefined })),
    )
    const ask = ({ db }: (typeof unaware)[number]) => sql`select ${1}::int as met`.execute(db)
    const ended = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => unaware[index % 2]).map((item) => item && ask(item)),
    )
    for (const item of unaware) await item.close()
    const refused = ended.flatMap((item) => (item.status === 'rejected' ? [item.reason] : []))
    assert.ok(refused.length > 0)
    for (const reason of refused) {
      assert.ok(reason instanceof DatabaseRefused, String(reason))
      assert.match(reason.message, /set DATABASE_POOLER=transaction/)
    }
  })

  test("a role without the session's settings is refused with the statements that set them", async () => {
    await ofRole("set timezone = 'Asia/Kolkata'", 'reset lock_timeout')
    const fresh = await aPooler()
    const open = () =>
      openDatabase({ url: fresh.url, pooler: 'transaction', dataDir: '', onError: () => undefined })
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof DatabaseRefused)
      assert.match(error.message, /timezone, lock_timeout must be set/)
      assert.match(error.message, /^alter role \w+ in database \w+ set timezone = 'UTC';$/m)
      return true
    })
    await ofRole("set timezone = 'UTC'", 'set lock_timeout = 2000')
  })
})

const root = join(import.meta.dirname, '../..')

interface Instance {
  child: ChildProcess
  ended: Promise<unknown>
  /** What it printed until it was serving or ended */
  output: string
  serves: boolean
}

/** Starts the real program in its own process and waits until it serves or ends. */
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
  let output = ''
  const serves = await new Promise<boolean>((decided) => {
    const hear = (words: Buffer) => {
      output += words.toString()
      if (output.includes('Podium is at')) decided(true)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('close', () => decided(false))
  })
  return { child, ended, output, serves }
}

async function ended({ child, ended: exit }: Instance, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await exit
}

test('instances on one database must share files and backups to run side by side', async (step) => {
  const database = await migratedDatabase()
  const url = database.pool.options.connectionString ?? ''
  const [files, backups] = [temporaryFolder('podium-files-'), temporaryFolder('podium-backups-')]
  const shared = { FILES_URL: pathToFileURL(files).href, BACKUP_URL: pathToFileURL(backups).href }
  const alone = () => ({ DATA_DIR: temporaryFolder('podium-data-') })
  const first = await started(url, { ...alone(), ...shared })
  assert.equal(first.serves, true, first.output)

  await step.test(
    'an instance with its own files is refused with one line that names FILES_URL',
    async () => {
      const divided = await started(url, { ...alone(), BACKUP_URL: shared.BACKUP_URL })
      assert.equal(divided.serves, false, 'it runs')
      assert.match(
        divided.output,
        /^FILES_URL must name what all instances on one database share: .*sent files are not in .*\n$/,
      )
      assert.equal(divided.child.exitCode, 1)
    },
  )

  await step.test(
    'an instance with its own backups is refused with one line that names BACKUP_URL',
    async () => {
      const divided = await started(url, { ...alone(), FILES_URL: shared.FILES_URL })
      assert.equal(divided.serves, false, 'it runs')
      assert.match(divided.output, /^BACKUP_URL must name .*backups are not in .*\n$/)
    },
  )

  await step.test('an instance whose files go into a bucket unknown to the others is refused', async () => {
    const { endpoint } = await anS3Peer()
    const divided = await started(url, {
      ...alone(),
      ...shared,
      FILES_URL: `s3://kept/sent?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
    assert.equal(divided.serves, false, 'it runs')
    assert.match(divided.output, /^FILES_URL must name .*sent files are not in s3:\/\/kept\/sent\n$/)
  })

  const registered = async () => (await database.pool.query('select id from instances')).rowCount
  await step.test(
    'an instance that shares both runs beside the other, and leaves the register when it ends',
    async () => {
      const second = await started(url, { ...alone(), ...shared })
      assert.equal(second.serves, true, second.output)
      assert.equal(await registered(), 2)
      await ended(second, 'SIGTERM')
      assert.equal(await registered(), 1, 'an ended or refused instance is still registered')
    },
  )

  await step.test(
    'the next instance may keep its files elsewhere a minute after the other one was killed',
    async () => {
      await ended(first, 'SIGKILL')
      // Also for a machine on which the next start takes a minute.
      await database.pool.query(`update instances set seen_at = now() + interval '10 minutes'`)
      assert.equal((await started(url, alone())).serves, false, 'the killed instance was seen a moment ago')
      await database.pool.query(`update instances set seen_at = now() - interval '61 seconds'`)
      const next = await started(url, alone())
      assert.equal(next.serves, true, next.output)
      await ended(next, 'SIGTERM')
    },
  )
})
