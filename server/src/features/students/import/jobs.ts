import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { forSchool, loadCatalogue } from '#features/catalogue/queries'
import { teacherBehind } from '#platform/auth/job-askers'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import type { JobContext, JobHandlers } from '#platform/jobs/jobs'
import { followSlabs } from '#platform/paid-students'
import { importJob, keepRest } from './commands.ts'
import { importRows } from './commands-rows.ts'
import type { GoodRow } from './rules-classify.ts'

/** So many students in one transaction: its locks are held for as long as it lasts. */
const piece = 500
/** Those who are there already are changed one by one. */
const changes = 100

interface Kept {
  schoolId: number
  season: Season
  done: number
  undoneAt: Date | null
  good: GoodRow[]
}

async function readKept(db: Db, importId: string): Promise<Kept> {
  const { rows } = await sql<Kept>`
    select school_id as "schoolId", season, done, good_rows as good, undone_at as "undoneAt"
    from student_imports where id = ${importId}`.execute(db)
  if (!rows[0]) throw new Refusal('not_found')
  return rows[0]
}

async function saveGoodRows(
  deps: Deps,
  importId: string,
  scope: SchoolScope,
  { db, clock, progress }: JobContext,
) {
  const { schoolId, season, good, ...kept } = await readKept(db, importId)
  if (schoolId !== scope.schoolId) throw new Refusal('access.other_school')
  let done = kept.done
  await progress(done, good.length)
  while (done < good.length) {
    const rows = good.slice(done, done + (good[done]?.change ? changes : piece))
    const now = clock()
    await db.transaction().execute(async (tx) => {
      const listed = await loadCatalogue(tx, season, now)
      if (!listed?.open) throw new Refusal('enrolment.season_closed')
      const toCome = good.slice(done).filter(({ change }) => !change).length
      const catalogue = await forSchool(tx, listed, scope, season, toCome)
      const by = { scope, keys: deps.keys, now }
      const { imported, changed, refused } = await importRows(tx, by, { season, importId, catalogue }, rows)
      // The count moves with the rows: a runner that was overtaken by another one finds it moved and saves nothing; nor
      // does one whose import was stopped, and perhaps taken back, while it was at this piece.
      const moved = await sql`
        update student_imports i set done = ${done + rows.length}, imported = imported + ${imported}, changed = changed + ${changed}, refused = refused || ${JSON.stringify(refused)}::jsonb
        where id = ${importId} and done = ${done} and undone_at is not distinct from ${kept.undoneAt}::timestamptz
          and not exists (select from jobs j where j.id = i.job_id and j.state = 'cancelled')
        returning id`.execute(tx)
      if (moved.rows.length === 0) throw new Refusal('changed_meanwhile')
    })
    done += rows.length
    await progress(done, good.length)
  }
  await followSlabs(db, clock(), { schoolId, season })
  await keepRest(db, scope, clock(), importId)
  return { importId }
}

/** Long work of enrolment: saving the good rows of an import, piece by piece, from where the last run stopped. */
export function enrolmentJobs(deps: Deps): JobHandlers {
  return {
    [importJob]: (job, context) =>
      saveGoodRows(deps, String(job.input.importId), teacherBehind(context), context),
  }
}
