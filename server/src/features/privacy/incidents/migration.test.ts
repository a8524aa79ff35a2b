import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '#platform/db/migrate'
import { emptyDatabase, temporaryFolder } from '#test/database'

const migrations = join(import.meta.dirname, '../../../../migrations')

test('what the register held before it was made plain is read in notes and the mail', async () => {
  const database = await emptyDatabase()
  const folder = temporaryFolder('podium-incidents-')
  const names = readdirSync(migrations).sort()
  const plain = names.findIndex((name) => name.endsWith('_plain_incidents.sql'))
  assert.ok(plain > 0)
  for (const name of names.slice(0, plain)) copyFileSync(join(migrations, name), join(folder, name))
  await migrate(database, folder)
  const words = (what: string) => ({
    ...{
      what,
      consequences: 'Somebody may know it.',
      measures: 'Deleted.',
      safety: 'Mind calls.',
      contact: 'Us.',
    },
  })
  const [sent, later] = [
    { en: words('Sent'), hi: words('भेजा') },
    { en: words('A draft'), hi: words('मसौदा') },
  ]
  await database.pool.query(
    `with officer as (insert into staff (name, email, role, created_at) values ('O', 'o@podium.example', 'owner', now()) returning id),
      breach as (
        insert into incidents (title, search_key, nature, began_at, found_at, happened, contact, drill, state, conclusion, closed_by, closed_at, opened_by, opened_at, words)
        select 'Lost', 'lost', 'lost', '2026-11-20T12:30Z', '2026-11-21T04:30Z', 'A list', 'Us', true, 'closed', 'Found again', id, '2026-11-22T04:30Z', id, '2026-11-21T05:00Z', $1::jsonb
        from officer returning id),
      report as (
        insert into incident_reports (incident_id, clock, outcome, at, note, staff_id, noted_at)
        select b.id, 'board', 'made', '2026-11-21T06:00Z', 'No. 7', o.id, '2026-11-21T06:00Z' from breach b, officer o),
      account as (insert into users (name, email, designation, created_at) values ('U', 'u@school.example', '', now()) returning id),
      person as (
        insert into incident_people (incident_id, user_id, told_at, told_by_way)
        select b.id, a.id, '2026-11-21T08:00Z', 'mail' from breach b, account a)
    insert into audit (at, actor_kind, actor_name, action, subject_kind, subject_id, change)
    select at::timestamptz, 'office', 'O', 'incident.worded', 'incident', b.id::text, jsonb_build_object('to', said::jsonb)
    from breach b, (values ('2026-11-21T07:00Z', $2), ('2026-11-21T09:00Z', $1::text)) l (at, said)`,
    [JSON.stringify(later), JSON.stringify(sent)],
  )
  await migrate(database, migrations)
  const notes = await database.pool.query('select text from incident_notes order by at, id')
  assert.deepEqual(
    notes.rows.map(({ text }) => text),
    [
      ...['Began: 20-Nov-2026 06:00 PM', 'Contact: Us', 'A drill: nothing has happened.'],
      ...['Data Protection Board, reported: No. 7', 'Found again'],
    ],
  )
  const { rows } = await database.pool.query(
    `select mail -> 'en' ->> 'text' as en, mail -> 'hi' ->> 'text' as hi from incidents`,
  )
  const text = (what: string) => `${what}\n\nSomebody may know it.\n\nDeleted.\n\nMind calls.\n\nUs.`
  assert.deepEqual(rows, [{ en: text('Sent'), hi: text('भेजा') }])
})
