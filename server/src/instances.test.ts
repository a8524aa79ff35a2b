import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { type Contact, getContacts, saveContact } from '@podium/contract/schools/calls'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/database'
import { DatabaseRefused } from '#platform/db/database-fault'
import { type Pooler, startPooler } from '../../scripts/pgbouncer.ts'
import { atEnd, temporaryFolder, testDatabase } from '../test/database.ts'
import { aContact, aDay, aSeason, aTeacher, thisSeason } from '../test/factories.ts'
import { patient } from '../test/patient.ts'
import { type TestServer, testServer } from '../test/server.ts'

type Teacher = Awaited<ReturnType<typeof aTeacher>>

const settings = ["timezone = 'UTC'", 'statement_timeout = 120000', 'lock_timeout = 120000', 'jit = off']
const idle = 'idle_in_transaction_session_timeout = 120000'

async function ofRole(...set: string[]): Promise<void> {
  const { pool } = await testDatabase()
  const { rows } = await pool.query<{ whose: string }>(
    "select format('%I in database %I', current_user, current_database()) as whose",
  )
  for (const one of set) await pool.query(`alter role ${rows[0]?.whose} ${one}`)
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
  const { status, body } = await server.call(getContacts, { query }, teacher)
  assert.equal(status, 200, body.message)
  return body.data
}

suite('two instances behind a pooler in transaction mode', () => {
  let pooler: Pooler
  let instances: TestServer[]
  before(async () => {
    await ofRole(...settings.map((one) => `set ${one}`), `set ${idle}`)
    pooler = await aPooler()
    // They share their files and backups, as instances of one portal do.
    const dataDir = temporaryFolder('podium-shared-')
    const shared = { dataDir, filesDir: join(dataDir, 'files'), backupDir: join(dataDir, 'backups') }
    const own = {
      databaseUrl: pooler.url,
      databasePooler: 'transaction',
      databasePool: 4,
      ...shared,
    } as const
    const anInstance = () => testServer({ clock: () => aDay, settings: own })
    // Beside each other: each finds the database migrated, or waits for the other.
    instances = await Promise.all([anInstance(), anInstance()])
    await aSeason()
  })

  test('each get the answers to their own questions', async () => {
    const asked = instances.flatMap(({ deps }, instance) =>
      Array.from({ length: 200 }, async (_, number) => {
        // The texts differ by instance, as they do when each has met its calls in another order.
        const column = sql.raw(`asked_by_${instance}_${number % 7}`)
        const { rows } = await sql<Record<string, number>>`select ${number}::int as ${column}`.execute(
          deps.db,
        )
        assert.deepEqual(rows, [{ [`asked_by_${instance}_${number % 7}`]: number }])
      }),
    )
    await Promise.all(asked)
  })

  test('what is written by one is read by the other, call by call', async () => {
    const teachers = await Promise.all(Array.from({ length: 6 }, () => aTeacher()))
    await Promise.all(
      teachers.map(async (teacher, at) => {
        for (let round = 0; round < 6; round++) {
          const [writer, reader] = (round + at) % 2 === 0 ? instances : [...instances].reverse()
          assert.ok(writer && reader)
          const name = `Hemant ${'abcdef'[at]} ${'uvwxyz'[round]}`
          const { status, body } = await saved(writer, teacher, name)
          assert.equal(status, 200, body.message)
          const names = (await contactsOf(reader, teacher)).map((contact) => contact.name)
          assert.equal(names.length, round + 1)
          assert.ok(names.includes(name), `${name} is not among ${names}`)
        }
      }),
    )
  })

  test('one that is not told of the pooler ends with a line that names the setting', async () => {
    const unaware = await Promise.all(
      [1, 2].map(() => openDatabase({ ...patient, url: pooler.url, dataDir: '', onError: () => undefined })),
    )
    const ask = ({ db }: (typeof unaware)[number]) => sql`select ${1}::int as met`.execute(db)
    const ended = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => unaware[at % 2]).map((one) => one && ask(one)),
    )
    for (const one of unaware) await one.close()
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.ok(refused.length > 0)
    for (const reason of refused) {
      assert.ok(reason instanceof DatabaseRefused, String(reason))
      assert.match(reason.message, /set DATABASE_POOLER=transaction/)
    }
  })

  test('a role without the settings of a session is refused with the statements that set them', async () => {
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
