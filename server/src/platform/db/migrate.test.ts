import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd, emptyDatabase, temporaryFolder } from '#test/database'
import { partsOf, valuesOf } from '#test/rows'
import { describeSchema } from '../../../../scripts/generate-schema.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { MigrationRefused, migrate, missingMigrations, readMigrations } from './migrate.ts'

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder('podium-migrations-')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Opens another server's pool on the same database. */
async function secondInstance(database: OpenedDatabase): Promise<OpenedDatabase> {
  const url = database.pool.options.connectionString
  const second = await openDatabase({ url, dataDir: '', onError: assert.fail })
  atEnd(() => second.close())
  return second
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

  await step.test("another system's line ends are not a change", async () => {
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

  await step.test('a migration inserted between applied ones is refused with advice', async () => {
    const folderWithGap = folderWith({ ...first, '0001a_late.sql': 'select 1', ...second })
    await assert.rejects(migrate(database, folderWithGap), (error) => {
      assert.ok(error instanceof MigrationRefused)
      assert.match(
        error.message,
        /0001a_late\.sql comes before 0002_second\.sql, .*number it after the last one\. .*restore a backup/,
      )
      return true
    })
  })

  await step.test('a migration that fails half-way leaves nothing behind and can be repaired', async () => {
    const broken = folderWith({
      ...first,
      ...second,
      '0003_third.sql': 'create table three (id int); select 1 / 0;',
    })
    await assert.rejects(migrate(database, broken), /0003_third\.sql failed: division by zero/)
    const whole = folderWith({ ...first, ...second, '0003_third.sql': 'create table three (id int);' })
    assert.deepEqual(await migrate(database, whole), ['0003_third.sql'])
  })

  await step.test('of two instances that start at once, one migrates and the other waits', async () => {
    const slow = { '0004_fourth.sql': 'create table four (id int); select pg_sleep(0.2);' }
    const files = { ...first, ...second, '0003_third.sql': 'create table three (id int);', ...slow }
    const secondServer = await secondInstance(database)
    const results = await Promise.all([
      migrate(database, folderWith(files)),
      migrate(secondServer, folderWith(files)),
    ])
    assert.deepEqual(results.flat(), ['0004_fourth.sql'])
  })
})

async function recordOf({ pool }: OpenedDatabase, names: readonly string[]): Promise<void> {
  await pool.query('delete from schema_migrations')
  const insert = "insert into schema_migrations (name, sha256) select name, 'x' from unnest($1::text[]) name"
  await pool.query(insert, [names])
}

/** Gives a database the columns, indexes and record of before the baseline. */
async function ageDatabase(database: OpenedDatabase, names: readonly string[]): Promise<void> {
  await database.pool.query(`
    alter table incidents add column drill boolean not null default false;
    alter table incident_people rename notified_at to told_at;
    alter table incident_people rename notified_via to told_by_way;
    alter table next_level_invitations rename notice to told;
    alter table next_level_invitations
      rename constraint next_level_invitations_notice_check to next_level_invitations_told_check;
    alter table data_requests rename contact to reach;
    alter table sessions rename acting_session_id to visit_id;
    alter table acting_sessions rename to school_visits;
    alter table school_reminders rename to school_nudges;
    alter index incident_people_to_notify rename to incident_people_untold;
    insert into audit (at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, change)
      values (now(), 'system', null, '', 'incident.told_otherwise', 'incident', '1', '{"told": 2, "note": "By phone."}')`)
  await database.pool.query(
    "insert into outbox (key, kind, payload, created_at, due_at) values (gen_random_uuid(), 'nudge', '{}', now(), now())",
  )
  await recordOf(database, names)
}

test('a database of before the baseline', async (step) => {
  const [upToDate, migrations] = [await emptyDatabase(), await readMigrations()]
  const baseline = valuesOf(migrations, 'name').filter((name) => name < '0019')
  const since = valuesOf(migrations, 'name').slice(baseline.length)
  await migrate(upToDate)
  const today = await describeSchema(upToDate)
  const withBaseline = async () => {
    const database = await emptyDatabase()
    await migrate(database, undefined, baseline.length)
    return database
  }

  await step.test('is refused if it lacks some of the merged migrations', async () => {
    const database = await withBaseline()
    for (const names of [['0002_places.sql', '0086_mail_bounces.sql'], baseline]) {
      await recordOf(database, names)
      await assert.rejects(migrate(database), /start the version whose newest is 0091_status_filters/)
    }
  })

  for (const [which, before] of [
    ['each in its own file', ['0002_places.sql', '0086_mail_bounces.sql']],
    ['an earlier baseline', baseline],
  ] as const)
    await step.test(`counts as having it and gets today's columns: ${which}`, async () => {
      const database = await withBaseline()
      await ageDatabase(database, [...before, '0090_returned_found.sql', '0091_status_filters.sql'])
      assert.deepEqual(await missingMigrations(database), since)
      assert.deepEqual(await migrate(database), since)
      const recorded = 'select name, sha256 from schema_migrations order by name'
      assert.deepEqual((await database.pool.query(recorded)).rows, partsOf(migrations, 'name', 'sha256'))
      assert.equal(await describeSchema(database), today)
      const lines = await database.pool.query('select distinct action, change from audit')
      assert.deepEqual(lines.rows, [
        { action: 'incident.notified_otherwise', change: { notified: 2, note: 'By phone.' } },
      ])
      const mails = await database.pool.query('select distinct kind from outbox')
      assert.deepEqual(mails.rows, [{ kind: 'reminder' }])
      const old = await database.pool.query(
        "select from pg_class where relname = 'incident_people_untold' union all select from pg_constraint where conname like '%told%'",
      )
      assert.deepEqual(old.rows, [])
      assert.deepEqual(await migrate(database), [])
    })
})

test('the generated table types match the migrations: node scripts/generate-schema.ts', async () => {
  const generated = readFileSync(new URL('./schema.generated.ts', import.meta.url), 'utf8')
  const database = await emptyDatabase()
  await migrate(database)
  assert.equal(generated, await describeSchema(database))
})

test('a migration that waits for a table lets later callers pass', async () => {
  const database = await emptyDatabase()
  const widened = { '0003_wider.sql': 'alter table one add column place text;' }
  await migrate(database, folderWith(first))
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from one')
  const migrated = migrate(database, folderWith({ ...first, ...second, ...widened }))
  // Each reader waits behind the migration until it backs off; four times, to be sure that it does.
  const reader = await database.pool.connect()
  await reader.query("set lock_timeout = '1900ms'")
  for (let waited = 0; waited < 4; ) {
    const { rows } = await holder.query(
      "select from pg_locks where relation = 'one'::regclass and mode = 'AccessExclusiveLock' and not granted",
    )
    if (rows.length === 0) continue
    await reader.query('select from one')
    waited++
  }
  reader.release(true)
  await holder.query('commit')
  holder.release()
  assert.deepEqual(await migrated, ['0002_second.sql', '0003_wider.sql'])
})

const outside = (...statements: string[]) => `-- outside a transaction\n${statements.join(';\n')};\n`

async function indexesOf(database: OpenedDatabase): Promise<Record<string, boolean>> {
  const { rows } = await database.pool.query<{ name: string; valid: boolean }>(
    "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'one'::regclass order by 1",
  )
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]))
}

test('an index on a large table is created outside a transaction', async (step) => {
  const database = await emptyDatabase()
  const byId = {
    '0002_by_id.sql': outside(
      'create unique index concurrently one_by_id on one (id)',
      '-- those of no use\ncreate index concurrently one_odd on one (id) where id % 2 = 1',
    ),
  }
  await migrate(database, folderWith(first))
  assert.deepEqual(await migrate(database, folderWith({ ...first, ...byId })), ['0002_by_id.sql'])
  assert.deepEqual(await indexesOf(database), { one_by_id: true, one_odd: true })
  assert.deepEqual(await migrate(database, folderWith({ ...first, ...byId })), [])

  const removing = { '0003_fewer.sql': outside('drop index concurrently if exists one_odd') }
  await step.test('an index on a large table is dropped in the same way', async () => {
    await migrate(database, folderWith({ ...first, ...byId, ...removing }))
    assert.deepEqual(await indexesOf(database), { one_by_id: true })
  })

  const twice = { '0004_twice.sql': outside('create unique index concurrently one_twice on one ((id / 2))') }
  await step.test('an index left half created is dropped and created again', async () => {
    await database.pool.query('insert into one values (2), (3)')
    const files = { ...first, ...byId, ...removing, ...twice }
    await assert.rejects(migrate(database, folderWith(files)), /0004_twice\.sql failed: could not create/)
    assert.deepEqual(await indexesOf(database), { one_by_id: true, one_twice: false })
    await database.pool.query('delete from one where id = 3')
    assert.deepEqual(await migrate(database, folderWith(files)), ['0004_twice.sql'])
    assert.deepEqual(await indexesOf(database), { one_by_id: true, one_twice: true })
  })

  await step.test('an index created before its migration was recorded is left as it is', async () => {
    const whole = { '0005_whole.sql': outside('create index concurrently one_whole on one (id)') }
    await database.pool.query('create index one_whole on one (id)')
    const files = { ...first, ...byId, ...removing, ...twice, ...whole }
    assert.deepEqual(await migrate(database, folderWith(files)), ['0005_whole.sql'])
    const secondServer = await secondInstance(database)
    const more = { '0006_more.sql': outside('create index concurrently one_more on one (id, (id % 3))') }
    const both = await Promise.all([
      migrate(database, folderWith({ ...files, ...more })),
      migrate(secondServer, folderWith({ ...files, ...more })),
    ])
    assert.deepEqual(both.flat(), ['0006_more.sql'])
  })

  await step.test(
    'such a migration contains nothing else, since no one could tell whether it was done',
    async () => {
      const database = await emptyDatabase()
      const mixed = { '0002_mixed.sql': outside('insert into one values (1)') }
      await assert.rejects(
        migrate(database, folderWith({ ...first, ...mixed })),
        /alone, not: insert into one/,
      )
    },
  )
})
