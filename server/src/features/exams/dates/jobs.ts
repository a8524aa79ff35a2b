import { formatDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import { namesFor } from '#features/catalogue/lists/queries'
import { dateMovedKind, type MovedDate } from '#features/catalogue/rules'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import type { Job, JobContext, JobHandlers } from '#platform/jobs/jobs'
import { pageOfSeason } from '#platform/mail/mail-templates'
import { mailPeople } from '#platform/mail/mail-texts'

const schoolsAtOnce = 200

/** Job that tells the schools which chose an exam date that it has moved. */
export function examDateJobs({ settings }: Pick<Deps, 'settings'>): JobHandlers {
  const page = `${settings.publicUrl}/School/examdate`
  return { [dateMovedKind]: (job, context) => tellSchools(page, job, context) }
}

/** Tells each school once. A date that has moved again meanwhile has a later job. */
async function tellSchools(page: string, job: Job, { db, clock, progress }: JobContext) {
  const { dateId, from, to } = job.input as unknown as MovedDate
  const { rows } = await sql<{ season: string; subject: string; schoolId: number }>`
    select e.season, u.name as subject, p.school_id as "schoolId"
    from exam_dates d join events e on e.id = d.event_id join subjects u on u.letter = e.letter
      join participations p on p.exam_date_id = d.id
    where d.id = ${dateId} and d.held_on = ${to}::date order by p.school_id`.execute(db)
  const [event] = rows
  if (!event) return { notified: 0 }
  const { season, subject } = event
  async function mail(tx: Tx, schools: number[]): Promise<void> {
    const people = await readersOf(tx, schools)
    const nameFor = await namesFor(tx, people)
    await mailPeople(tx, clock(), people, ({ id }, language) => ({
      key: `exam-date:${job.id}:${id}`,
      kind: 'exam-date',
      mail: 'exam-date-moved',
      values: {
        subject: nameFor(language, subject),
        season,
        from: formatDay(from),
        to: formatDay(to),
        page: pageOfSeason(page, season),
      },
    }))
  }
  for (let start = 0; start < rows.length; start += schoolsAtOnce) {
    await progress(start, rows.length)
    const some = rows.slice(start, start + schoolsAtOnce).map(({ schoolId }) => schoolId)
    await db.transaction().execute((tx) => mail(tx, some))
  }
  return { notified: rows.length }
}
