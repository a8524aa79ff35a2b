import { sql } from 'kysely'
import { mailSender } from '#features/office/settings/queries-foundation'
import type { Db, Tx } from '#platform/db/database'
import { enqueueMail } from '#platform/jobs/outbox'
import { resultsCorrectedMail, resultsReleasedMail } from '#platform/mail/mail-templates'
import { seen } from '../queries.ts'

export interface AnnouncedSet {
  setId: number
  subjectName: string
  season: string
  /** Where the school sees its results */
  resultsPage: string
  version: number
  /** Why it corrects the version before; empty for a first one. */
  reason: string
}

/** Where a school sees its results. */
export const resultsPage = (publicUrl: string) => new URL('/result/viewresult', publicUrl).href

/**
 * The schools to tell of a released version: all that have results in it, or, after a correction, those whose results
 * it changes. Schools whose results are held are told when they are let go.
 */
export async function schoolsToTell(db: Db | Tx, setId: number): Promise<number[]> {
  const { rows } = await sql<{ school_id: number }>`
    with this as (select id, event_id, version from result_sets where id = ${setId}),
    before as (
      select s.id from result_sets s, this
      where s.event_id = this.event_id and s.version < this.version and s.released_at is not null
      order by s.version desc limit 1),
    mine as (select * from results where set_id = ${setId}),
    theirs as (select * from results where set_id = (select id from before)),
    changed as (
      select coalesce(mine.school_id, theirs.school_id) as school_id
      from mine full join theirs on theirs.student_id = mine.student_id
      where (${seen('mine')}) is distinct from (${seen('theirs')}))
    select distinct school_id from changed
    where not exists (
      select from result_holds h, this where h.event_id = this.event_id and h.school_id = changed.school_id)
    order by school_id`.execute(db)
  return rows.map((row) => row.school_id)
}

/** Writes to the coordinators of these schools that the version is out; once each, however often it is called. */
export async function mailReleased(
  tx: Tx,
  now: Date,
  set: AnnouncedSet,
  schools: readonly number[],
): Promise<void> {
  if (schools.length === 0) return
  const sender = await mailSender(tx)
  const people = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('school_id', 'in', [...schools])
    .where('coordinator', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id, name, email } of people) {
    await enqueueMail(tx, now, {
      key: `results:${set.setId}:${id}`,
      kind: 'results-released',
      to: { name, address: email },
      ...letterOf(sender, set, name),
    })
  }
}

function letterOf(sender: Awaited<ReturnType<typeof mailSender>>, set: AnnouncedSet, name: string) {
  const { subjectName: what, season, resultsPage: page, version, reason } = set
  return reason === ''
    ? resultsReleasedMail(sender, { name, what, season, resultsPage: page })
    : resultsCorrectedMail(sender, { name, what, season, version, reason, resultsPage: page })
}
