import type { AnswerOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import type { importStatus } from '@podium/contract/students/calls-import'
import type {
  ImportPreview,
  ImportRowError,
  ImportState,
  importHistory,
} from '@podium/contract/students/calls-import-preview'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { orNotFound, Refusal } from '#platform/errors'
import type { JobState } from '#platform/jobs/jobs'
import type { Findings } from './queries-check.ts'

/** SQL: student `st` was not changed by hand since an import, and never sent for payment. */
const untouched = sql`st.active and st.version = st.import_version and not st.paid and not st.locked
  and not exists (select from payment_lines l where l.student_id = st.id)`

/** SQL: change `c` of an import can be undone, because nothing came after it. */
export const isRestorable = sql`c.version = st.version and ${untouched}`

/** SQL: student `st` has a waiver, a consent, a request about their data, or a place in a data breach, which refer to them. */
export const isReferredTo = sql`(exists (select from waivers w where w.student_id = st.id)
  or exists (select from consents w where w.student_id = st.id)
  or exists (select from data_requests w where w.student_id = st.id)
  or exists (select from incident_people w where w.student_id = st.id))`

/** SQL: a student added by this import, unchanged and not referred to, who can be removed. Also guards the deletion. */
export const removable = sql`${untouched} and not ${isReferredTo}
  and not exists (select from student_import_changes c where c.student_id = st.id and c.version = st.version)`

/** An import has the state of its job; without one it awaits confirmation. */
const stateOf = (state: JobState | null): ImportState => state ?? 'checked'

const iso = (at: Date | string) => new Date(at).toISOString()

/** The stored results of a check. Another school's or a deleted import is not found. */
export async function readPreview(db: Db | Tx, scope: SchoolScope, importId: string): Promise<ImportPreview> {
  const { rows } = await sql<{
    fileName: string
    season: Season
    revision: number
    state: JobState | null
    preview: Partial<Findings>
    before: { at: string; by: string; imported: number; undone: boolean } | null
  }>`
    select i.file_name as "fileName", i.season, i.revision, i.preview, j.state,
      (select jsonb_build_object('at', b.confirmed_at, 'by', u.name, 'imported', b.imported + b.changed, 'undone', b.undone_at is not null)
        from student_imports b join users u on u.id = b.created_by
        where b.school_id = i.school_id and b.season = i.season and b.sha256 = i.sha256 and b.id <> i.id and b.source = 'file'
          and b.confirmed_at is not null
        order by b.confirmed_at desc limit 1) as before
    from student_imports i left join jobs j on j.id = i.job_id
    where i.id = ${importId} and i.school_id = ${scope.schoolId} and i.source = 'file'`.execute(db)
  const { fileName, season, revision, state, preview, before } = orNotFound(rows[0])
  if (preview.columns === undefined) throw new Refusal('not_found')
  const again = before ? { before: { ...before, at: iso(before.at) } } : {}
  const repeated = before !== null
  return {
    ...(preview as Findings),
    importId,
    fileName,
    season,
    revision,
    repeated,
    state: stateOf(state),
    ...again,
  }
}

/** A row with the state of its job, if there is one. */
type Stored<Row> = Omit<Row, 'state'> & { state: JobState | null }

/** The progress of an import. Another school's is not found. */
export async function readImport(
  db: Db | Tx,
  scope: SchoolScope,
  importId: string,
): Promise<AnswerOf<typeof importStatus>> {
  const { rows } = await sql<Stored<Omit<AnswerOf<typeof importStatus>, 'importId'>>>`
    select i.file_name as "fileName", i.source, i.undone_at is not null as undone, j.state, i.done,
      i.good_count as total, i.imported, i.changed, i.refused, coalesce(j.error, '') as error, ${undoableOf} as undoable,
      coalesce((select r.id from student_imports r where r.rest_of = i.id and r.confirmed_at is null), '') as rest
    from student_imports i left join jobs j on j.id = i.job_id
    where i.id = ${importId} and i.school_id = ${scope.schoolId}`.execute(db)
  const row = orNotFound(rows[0])
  return { importId, ...row, state: stateOf(row.state) }
}

/** SQL: students that undoing import `i` would remove or restore. */
const undoableOf = sql`(select count(*)::int from students st where st.import_id = i.id and ${removable})
  + (select count(*)::int from student_import_changes c join students st on st.id = c.student_id where c.import_id = i.id and ${isRestorable})`

const maxListed = 200

/** The imports of a school in a season, newest first, with sender and outcome. */
export async function listImports(
  db: Db,
  scope: SchoolScope,
  season: Season,
): Promise<AnswerOf<typeof importHistory>> {
  const { rows } = await sql<Stored<AnswerOf<typeof importHistory>['imports'][number]>>`
    select i.id as "importId", i.file_name as "fileName", i.source, j.state, u.name as by,
      ${instant(sql`coalesce(i.confirmed_at, i.created_at)`)} as at,
      i.row_count as "rowCount", i.imported, i.changed, coalesce((i.counts ->> 'badCount')::int, 0) as "badCount",
      i.undone_at is not null as undone, ${undoableOf} as undoable, i.source = 'file' and i.sheet is not null as open
    from student_imports i join users u on u.id = i.created_by left join jobs j on j.id = i.job_id
    where i.school_id = ${scope.schoolId} and i.season = ${season}
    order by i.created_at desc, i.id limit ${maxListed}`.execute(db)
  return { imports: rows.map((row) => ({ ...row, state: stateOf(row.state) })) }
}

/** A stored file with its errors, for the spreadsheet of invalid rows. */
export async function readFaulty(db: Db, scope: SchoolScope, importId: string) {
  const { rows } = await sql<{
    fileName: string
    sheet: Array<{ n: number; c: string[] }> | null
    cells: Record<string, string> | null
    preview: Partial<Findings>
    refused: ImportRowError[]
  }>`
    select file_name as "fileName", sheet, settings -> 'cells' as cells, preview, refused from student_imports
    where id = ${importId} and school_id = ${scope.schoolId} and source = 'file'`.execute(db)
  const { sheet, preview, ...stored } = orNotFound(rows[0])
  if (sheet === null || preview.columns === undefined) throw new Refusal('not_found')
  return { ...stored, sheet, findings: preview as Findings }
}
