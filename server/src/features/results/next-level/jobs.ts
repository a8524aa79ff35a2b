import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import type { Job, JobContext, JobHandlers } from '#platform/jobs/jobs'
import { subjectOf } from './commands.ts'
import { remindBatch, remindKind, sendBatch, sendKind } from './commands-send.ts'

/** Where a school sees its invitations. */
export const invitationsPage = (publicUrl: string) => new URL('/result/nextlevel', publicUrl).href

const schoolsAtOnce = 50

/** The mails about the next level: schools are told, or reminded, some at a time. */
export function nextLevelJobs({ settings }: Pick<Deps, 'settings'>): JobHandlers {
  const link = invitationsPage(settings.publicUrl)
  return {
    [sendKind]: (job, context) => run(sendBatch, 'next_level.sent', link, job, context),
    [remindKind]: (job, context) => run(remindBatch, 'next_level.reminded', link, job, context),
  }
}

/** What a batch has told stands in the rows, so a run that was cut off goes on behind it. */
async function run(
  batch: typeof sendBatch,
  action: string,
  link: string,
  job: Job,
  { db, clock, progress, checkpoint }: JobContext,
) {
  const eventId = Number(job.input.eventId)
  const told = { schools: Number(job.output?.schools ?? 0), mails: Number(job.output?.mails ?? 0) }
  // One instant for the whole run: whom it has reminded it does not meet again.
  const now = clock()
  while (true) {
    const some = await db.transaction().execute(async (tx) => {
      const made = await batch(tx, now, { eventId, jobId: job.id, link, size: schoolsAtOnce })
      if (made.schools > 0)
        await audit(tx, now, systemScope('Invitations'), action, await subject(tx, eventId), made)
      return made
    })
    if (some.schools === 0) return told
    told.schools += some.schools
    told.mails += some.mails
    await checkpoint(told)
    await progress(told.schools, Math.max(job.total, told.schools))
  }
}

async function subject(tx: Tx, eventId: number) {
  const { rows } = await sql<{ season: string }>`
    select season from next_level_rounds where event_id = ${eventId}`.execute(tx)
  return subjectOf(eventId, rows[0]?.season ?? '')
}
