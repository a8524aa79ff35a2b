import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { paymentSummary } from '@podium/contract/payments/calls'
import { getContacts, saveContact } from '@podium/contract/schools/calls'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { sql } from 'kysely'
import { migrationsFolder } from '#platform/db/migrate'
import { temporaryFolder, testDatabase } from '#test/database'
import { aDay, aWord, thisSeason } from '#test/factories'
import { aFoundation } from '#test/payments-factories'
import { valuesOf } from '#test/rows'
import { testServer } from '#test/server'
import { anEntry, aTeacherInSeason } from '#test/students-factories'
import { migrationBreaches } from '../../scripts/check-sql.ts'

/** What a future version may bring, one table per file. */
const toCome = {
  '9001_students.sql':
    'alter table students add column called text, add column marks int not null default 0;',
  '9002_contacts.sql': "alter table contacts add column language text not null default 'en';",
  '9003_sessions.sql': 'alter table sessions add column seen_from text;',
  '9004_schools.sql': 'alter table schools add column motto text;',
  '9005_students_called.sql':
    '-- outside a transaction\ncreate index concurrently students_called on students (called);',
  '9006_visits.sql': 'create table site_visits (id int primary key, school_id int not null, on_day date);',
}

test('while a server runs, a migration fails no call and loses nothing that is written', async () => {
  const folder = temporaryFolder('podium-to-come-')
  cpSync(migrationsFolder, folder, { recursive: true })
  for (const [name, text] of Object.entries(toCome)) {
    assert.deepEqual(migrationBreaches(name, text), [])
    writeFileSync(join(folder, name), text)
  }
  const { pool } = await testDatabase()
  await aFoundation()
  const server = await testServer({
    clock: () => aDay,
    // Our own statements list their columns (npm test -- sql). This one represents those that don't.
    routes: ({ app, deps }) =>
      app.get('/api/every-column', async () => {
        const { rows } = await sql<object>`select * from students order by id limit 5`.execute(deps.db)
        return { result: 'success', message: '', columns: Object.keys(rows[0] ?? {}) }
      }),
  })
  const teachers = await Promise.all(Array.from({ length: 4 }, () => aTeacherInSeason()))
  const failed: string[] = []
  const saved: string[] = []
  let calls = 0
  const note = (what: string, { status, body }: { status: number; body: { message: string } }) => {
    calls++
    if (status !== 200) failed.push(`${what}: ${status} ${body.message}`)
  }
  async function everyColumn(): Promise<string[]> {
    const answer = await fetch(`${server.url}/api/every-column`)
    const body = (await answer.json()) as { message: string; columns: string[] }
    note('every column', { status: answer.status, body })
    return body.columns
  }
  const callers = teachers.map((teacher) => async () => {
    const entry = anEntry()
    const answer = await server.call(saveStudentDetails, { body: entry }, teacher)
    note('save a student', answer)
    if (answer.status === 200) saved.push(entry.studentName)
    const body = { FYear: thisSeason }
    note('students', await server.call(getStudentDetails, { body }, teacher))
    const query = { FYear: thisSeason, schId: String(teacher.schoolId) }
    note('payments', await server.call(paymentSummary, { query }, teacher))
    note('contacts', await server.call(getContacts, { query: { ...query, status: '' as const } }, teacher))
    const contact = { id: 0, fyear: thisSeason, desgId: 1, titleId: 1, name: `Hemant ${aWord()}` }
    const rest = { email: 'hemant@school.example', altEmail: '', mobile: '9000000417', altmobile: '' }
    note('save a contact', await server.call(saveContact, { body: { ...contact, ...rest } }, teacher))
    await everyColumn()
  })
  // By now every connection has prepared its statements.
  for (let round = 0; round < 5; round++) await Promise.all(callers.map((ask) => ask()))
  let migrating = true
  const serving = callers.map(async (ask) => {
    while (migrating) await ask()
    for (let round = 0; round < 5; round++) await ask()
  })
  const before = calls
  const program = join(import.meta.dirname, '../test/migrate-folder.ts')
  const migrated = promisify(execFile)(process.execPath, [
    program,
    pool.options.connectionString ?? '',
    folder,
  ])
  const { stdout } = await migrated.finally(() => {
    migrating = false
  })
  await Promise.all(serving)
  assert.deepEqual(stdout.trim().split('\n'), Object.keys(toCome))
  assert.deepEqual(failed, [])
  assert.ok(calls - before > 100, `${calls - before} calls beside the migration`)
  const columns = await everyColumn()
  assert.ok(columns.includes('called') && columns.includes('marks'), columns.join())
  const { rows } = await pool.query<{ name: string }>('select name from students where school_id = any($1)', [
    teachers.map(({ schoolId }) => schoolId),
  ])
  assert.deepEqual(valuesOf(rows, 'name').sort(), saved.sort())
})
