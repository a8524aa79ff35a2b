import { createHash } from 'node:crypto'
import type { BodyOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import type { enterRows } from '@podium/contract/students/calls-grid'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import { newId } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { findPlanned } from '../carry-over/commands.ts'
import { startSaving } from '../import/commands.ts'
import { readImport } from '../import/queries.ts'
import { checkGridRows, type FreshRow } from './queries.ts'

type GridRequest = Omit<BodyOf<typeof enterRows>, 'FYear'> & { FYear: Season }

/**
 * Enters rows of the grid as an import, saved by its job. They are checked again: each must be a new student at the amounts
 * shown. Sending the same rows again returns the progress of the first request.
 */
export async function enterGridRows(db: Db, scope: SchoolScope, now: Date, wanted: GridRequest) {
  const season = wanted.FYear
  const sha256 = createHash('sha256')
    .update(JSON.stringify(['grid', season, wanted.rows.map(({ cells }) => cells)]))
    .digest('hex')
  return db.transaction().execute(async (tx) => {
    // One at a time for each school, so that a second request finds the first one's import.
    await sql`select from schools where id = ${scope.schoolId} for no key update`.execute(tx)
    const before = await findPlanned(tx, scope, season, sha256)
    if (before) {
      if (before.state === 'failed' || before.state === 'cancelled')
        await startSaving(tx, scope, now, { ...before, season })
      return readImport(tx, scope, before.importId)
    }
    const { answer, good } = await checkGridRows(tx, scope, now, season, wanted.rows)
    if (good.length !== wanted.rows.length) throw new Refusal('changed_meanwhile')
    const { regAmount, bookAmount, school_Expenses, book_school_Expenses } = answer
    if (regAmount !== wanted.regAmount || bookAmount !== wanted.bookAmount)
      throw new Refusal('enrolment.amounts_changed', {
        fields: { regAmount, bookAmount, school_Expenses, book_school_Expenses },
      })
    const importId = await storeGrid(tx, scope, now, season, { good, sha256 })
    await startSaving(tx, scope, now, { importId, season, goodCount: good.length, done: 0 })
    return readImport(tx, scope, importId)
  })
}

async function storeGrid(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  season: Season,
  { good, sha256 }: { good: readonly FreshRow[]; sha256: string },
) {
  const { rows } = await sql<{ id: string }>`
    insert into student_imports (id, school_id, season, file_name, source, sha256, row_count, good_count, good_rows, preview, created_by, created_at)
    values (${newId()}, ${scope.schoolId}, ${season}, '', 'grid', ${sha256}, ${good.length}, ${good.length},
      ${JSON.stringify(good)}::jsonb, '{}', ${scope.userId}, ${now}::timestamptz)
    on conflict (school_id, season, sha256) where source <> 'file' or confirmed_at is null do update
      set row_count = excluded.row_count, good_count = excluded.good_count, good_rows = excluded.good_rows, created_by = excluded.created_by,
        created_at = excluded.created_at, job_id = null, confirmed_at = null, undone_at = null, done = 0, imported = 0, refused = '[]'
    returning id`.execute(tx)
  const importId = rows[0]?.id ?? ''
  await audit(tx, now, scope, 'import.typed', { kind: 'import', id: importId, season }, { good: good.length })
  return importId
}
