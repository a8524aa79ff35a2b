import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd, emptyDatabase, temporaryFolder } from '../../test/database.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { describeSchema } from './database-schema.ts'
import { MigrationRefused, migrate } from './migrate.ts'

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder('podium-migrations-')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Another server's pool on the same PostgreSQL; the embedded database has one server, which may call twice. */
async function secondInstance(database: OpenedDatabase): Promise<OpenedDatabase> {
  if (database.kind === 'embedded') return database
  const url = database.pool.options.connectionString
  const other = await openDatabase({ url, dataDir: '', onError: assert.fail })
  atEnd(() => other.close())
  return other
}

const first = { '0001_first.sql': 'create table one (id int);\ncreate table two (id int);\n' }
const second = { '0002_second.sql': 'alter table one add column name text;\n' }

test('migrations are applied in order, once', async (step) => {
  const database = await emptyDatabase()
  const folder = folderWith({ ...second, ...first })
  assert.deepEqual(await migrate(database, folder), ['0001_first.sql', '0002_second.sql'])
  assert.deepEqual(await migrate(database, folder), [])
  const { rows } = await database.pool.query('select name from schema_migrations order by name')
  assert.deepEqual(rows, [{ name: '0001_first.sql' }, { name: '0002_second.sql' }])

  await step.test('a migration that was changed after it had been applied is refused', async () => {
    const changed = folderWith({ '0001_first.sql': 'create table one (id bigint);\n', ...second })
    await assert.rejects(migrate(database, changed), (error) => {
      assert.ok(error instanceof MigrationRefused)
      assert.match(error.message, /0001_first\.sql was changed/)
      return true
    })
  })

  await step.test('line ends of another system are not a change', async () => {
    const windows = folderWith({
      '0001_first.sql': first['0001_first.sql'].replaceAll('\n', '\r\n'),
      ...second,
    })
    assert.deepEqual(await migrate(database, windows), [])
  })

  await step.test('a database of a newer version is refused', async () => {
    await assert.rejects(migrate(database, folderWith(first)), (error) => {
      assert.ok(error instanceof MigrationRefused)
      assert.match(error.message, /0002_second\.sql.*newer version/)
      return true
    })
  })

  await step.test('a file put between applied ones is refused', async () => {
    const folderWithGap = folderWith({ ...first, '0001a_late.sql': 'select 1', ...second })
    await assert.rejects(migrate(database, folderWithGap), MigrationRefused)
  })

  await step.test(
    'a migration that fails half-way leaves nothing of itself and can be repaired',
    async () => {
      const broken = folderWith({
        ...first,
        ...second,
        '0003_third.sql': 'create table three (id int); select 1 / 0;',
      })
      await assert.rejects(migrate(database, broken), /0003_third\.sql failed: division by zero/)
      const whole = folderWith({ ...first, ...second, '0003_third.sql': 'create table three (id int);' })
      assert.deepEqual(await migrate(database, whole), ['0003_third.sql'])
    },
  )

  await step.test('of two instances that start at once, one migrates and the other waits', async () => {
    const slow = { '0004_fourth.sql': 'create table four (id int); select pg_sleep(0.2);' }
    const files = { ...first, ...second, '0003_third.sql': 'create table three (id int);', ...slow }
    const other = await secondInstance(database)
    const results = await Promise.all([
      migrate(database, folderWith(files)),
      migrate(other, folderWith(files)),
    ])
    assert.deepEqual(results.flat(), ['0004_fourth.sql'])
  })
})

test('the generated table types are those of the migrations: node scripts/generate-schema.ts', async () => {
  const written = readFileSync(new URL('./schema.generated.ts', import.meta.url), 'utf8')
  const database = await emptyDatabase()
  await migrate(database)
  assert.equal(written, await describeSchema(database))
})
