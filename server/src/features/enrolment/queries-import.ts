import type { AnswerOf } from '@podium/contract/endpoint'
import type {
  ImportRowError,
  ImportState,
  importStatus,
  importStudents,
} from '@podium/contract/enrolment-import'
import type { StudentFields } from '@podium/contract/enrolment-student'
import { foldName } from '@podium/contract/names'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import { found } from '#platform/errors'
import type { JobState } from '#platform/jobs'
import type { SchoolScope } from '#platform/scope'

/** A student with the same name in the same class. */
export interface Named {
  section: string
  rollNo: number
}

/**
 * Which of these rows meet a student that is there, by index: whose the roll no is, and who has the same name in the
 * class. One question for all rows.
 */
export async function findTaken(db: Db, scope: SchoolScope, season: Season, rows: readonly StudentFields[]) {
  const found = await sql<{ at: number; name: string; section: string; rollNo: number; sameRoll: boolean }>`
    select r.at::int, st.name, st.section, st.roll_no as "rollNo",
      (st.section = r.section and st.roll_no = r.roll_no) as "sameRoll"
    from unnest(${rows.map((row) => row.classId)}::int[], ${rows.map((row) => row.section)}::text[],
        ${rows.map((row) => row.rollno)}::int[], ${rows.map((row) => foldName(row.studentName))}::text[])
        with ordinality as r (class_id, section, roll_no, name_key, at)
      join students st on st.school_id = ${scope.schoolId} and st.season = ${season} and st.class_id = r.class_id and st.active
        and ((st.section = r.section and st.roll_no = r.roll_no) or st.name_key = r.name_key)`.execute(db)
  const taken = new Map<number, string>()
  const sameName = new Map<number, Named>()
  for (const { at, name, section, rollNo, sameRoll } of found.rows) {
    if (sameRoll) taken.set(at - 1, name)
    else sameName.set(at - 1, { section, rollNo })
  }
  return { taken, sameName }
}

/** A student of an import, as `st`, who can be taken back: untouched, and never sent for payment. Guards the deletion, too. */
export const removable = sql`st.active and st.version = 1 and not st.paid and not st.locked
  and not exists (select from payment_lines l where l.student_id = st.id)`

type Preview = Omit<AnswerOf<typeof importStudents>, 'importId' | 'fileName' | 'repeated' | 'state'>

const stateOf: Record<JobState, ImportState> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** The import of this very file, which is being saved just now, with its preview. */
export async function importUnderWay(tx: Tx, scope: SchoolScope, season: Season, sha256: string) {
  const { rows } = await sql<{ id: string; fileName: string; preview: Preview; state: JobState }>`
    select i.id, i.file_name as "fileName", i.preview, j.state
    from student_imports i join jobs j on j.id = i.job_id
    where i.school_id = ${scope.schoolId} and i.season = ${season} and i.sha256 = ${sha256}`.execute(tx)
  const { id, fileName, preview, state } = found(rows[0])
  return { importId: id, fileName, repeated: true, state: stateOf[state], ...preview }
}

/** How far an import of the school is. Another school's is not found. */
export async function readImport(
  db: Db | Tx,
  scope: SchoolScope,
  importId: string,
): Promise<AnswerOf<typeof importStatus>> {
  const { rows } = await sql<{
    fileName: string
    source: 'file' | 'carry-over' | 'grid'
    state: JobState | null
    undone: boolean
    undoable: number
    done: number
    total: number
    imported: number
    refused: ImportRowError[]
    error: string | null
  }>`
    select i.file_name as "fileName", i.source, i.undone_at is not null as undone, j.state, i.done, i.good_count as total, i.imported, i.refused, j.error,
      (select count(*)::int from students st where st.import_id = i.id and ${removable}) as undoable
    from student_imports i left join jobs j on j.id = i.job_id
    where i.id = ${importId} and i.school_id = ${scope.schoolId}`.execute(db)
  const { state, error, ...row } = found(rows[0])
  return { importId, ...row, state: state === null ? 'checked' : stateOf[state], error: error ?? '' }
}
