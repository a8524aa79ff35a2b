import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSql } from './check-sql.ts'
import { tree } from './fixture.ts'

const tables = 'create table schools (id int, fax text);\ncreate table students (id int);\n'

function breaches(files: Record<string, string>): string[] {
  using fixture = tree({ 'server/migrations/0001_all.sql': tables, ...files })
  return checkSql(fixture.root)
}

const ofSource = (text: string) => breaches({ 'server/src/features/schools/queries.ts': text })
const ofMigration = (text: string) => breaches({ 'server/migrations/0100_new.sql': text })

test('a statement lists the columns of its tables', () => {
  for (const removal of [
    "db.selectFrom('schools').selectAll().execute()",
    "db.selectFrom('schools as o').selectAll('o').execute()",
    "db.updateTable('schools').set(fax).returningAll()",
    'sql`select * from schools where id = 1`',
    'sql`select o.id, o.* from schools o`',
    'sql`update schools set fax = 1 returning *`',
    'sql`\n  with own as (select id from students)\n  select s.* from own join students as s using (id)`',
  ])
    assert.equal(ofSource(removal).length, 1, removal)
})

test('a count, a product and a table made in the statement itself may use the asterisk', () => {
  for (const fine of [
    'sql`select count(*) from schools`',
    'sql`select 2 * 3, a * b from schools`',
    'sql`select * from unnest($1::bigint[]) as u (id)`',
    'sql`with own as (select * from schools) select own.id from own`',
    'sql`with own as (select id from schools) select * from own`',
    'sql`with $' +
      '{made(sql`a, (b)`)}, own as (insert into schools (id) default values returning *) select id from own`',
  ])
    assert.deepEqual(ofSource(fine), [], fine)
})

const refused: Array<[what: string, sql: string]> = [
  ['drops a column', 'alter table schools drop column fax;'],
  [
    'drops a column next to another change',
    'alter table schools add column b numeric(3, 2), drop column if exists fax;',
  ],
  ['drops a table', 'drop table if exists schools;'],
  ['renames a column', 'alter table schools rename column fax to telefax;'],
  ['renames a column without saying so', 'alter table schools rename fax to telefax;'],
  ['renames a table', 'alter table schools rename to colleges;'],
  ['changes a type', 'alter table schools alter column id type bigint;'],
  ['requires a column that old instances leave empty', 'alter table schools alter column fax set not null;'],
  ['adds a required column without a default', 'alter table schools add column telex text not null;'],
  [
    'locks one busy table while it waits for another',
    'alter table schools add column b int; alter table students add column b int;',
  ],
  ['creates an index on a large table in a transaction', 'create index schools_fax on schools (fax);'],
]
for (const [what, sql] of refused)
  test(`a migration that ${what} is refused`, () => {
    assert.equal(ofMigration(sql).length, 1, ofMigration(sql).join('\n'))
  })

test('a migration that adds, or works on a table of its own, passes', () => {
  for (const sql of [
    'alter table schools add column telex text, add column b int not null default 0;',
    'alter table schools add constraint has_fax check (fax is not null) not valid;',
    'alter table schools drop constraint has_fax;',
    "alter table schools alter column fax set default '', alter column fax set not null;",
    'create table notes (a int);\nalter table notes alter column a set not null;\ncreate index on notes (a);',
    '-- outside a transaction\ncreate index concurrently schools_fax on schools (fax);',
    '-- Later: drop table schools;',
  ])
    assert.deepEqual(ofMigration(sql), [], sql)
})

test('a column unused since a release may be dropped if the migration names the release and the column', () => {
  const drop = 'alter table schools drop column fax;'
  assert.deepEqual(ofMigration(`-- unused since 0.2.0: schools.fax\n${drop}`), [])
  assert.equal(ofMigration(`-- unused since 0.2.0: schools.id\n${drop}`).length, 1)
})

test('the baseline runs beside no old instance, and is exempt', () => {
  assert.deepEqual(breaches({ 'server/migrations/0002_places.sql': 'drop table schools;' }), [])
})

test('no two migrations have the same number', () => {
  const add = 'create table fees (id int);'
  const numbered = (name: string) =>
    breaches({ 'server/migrations/0100_fees.sql': add, [`server/migrations/${name}`]: add })
  assert.deepEqual(numbered('0101_rates.sql'), [])
  assert.deepEqual(numbered('0100_rates.sql'), ['0100_rates.sql: its number is taken; take the next one'])
})
