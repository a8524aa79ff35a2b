import type { InvitationMail } from '@podium/contract/results/calls-next-level'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import { audit } from '#platform/audit'
import { type OfficeScope, systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { enqueueJob, type Job, type JobContext, type JobHandlers } from '#platform/jobs/jobs'
import { enqueueMail } from '#platform/jobs/outbox'
import { languageOf } from '#platform/words'
import { lockRound, refuseOutdated, subjectOf } from './commands.ts'
import { letterFor, lettersFor, pending, roundDetails } from './queries.ts'
import { toRemind } from './queries-office.ts'

const sendKind = 'next_level.send'
const remindKind = 'next_level.remind'

const released = sql`not exists (
  select from result_holds h where h.event_id = i.event_id and h.school_id = i.school_id)`

/** SQL condition on `i`: the students each e-mail is about. */
export const needsInvitationMail = (kind: InvitationMail, now: Date): RawBuilder<unknown> =>
  kind === 'reminder'
    ? toRemind(now)
    : kind === 'invitation'
      ? sql`i.wanted and i.notice <> 'invited' and ${released}`
      : sql`not i.wanted and i.notice = 'invited' and ${released}`

async function schoolsThat(tx: Tx, eventId: number, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct i.school_id)::int as n from next_level_invitations i
    where i.event_id = ${eventId} and ${where}`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Enqueues notifying the schools of an approved list of what they have not been told yet. Returns the job's id. */
export async function startSend(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { eventYearId: number; version: number },
): Promise<string> {
  const { eventYearId: eventId, version } = input
  const round = await lockRound(tx, eventId, version)
  if (!round.approved) throw new Refusal('next_level.not_approved')
  if (round.answer_by < istDay(now)) throw new Refusal('next_level.day_past')
  await refuseOutdated(tx, now, eventId, round.set_id)
  const total = await schoolsThat(tx, eventId, sql`${pending} and ${released}`)
  if (total === 0) throw new Refusal('next_level.nothing_new')
  return start(tx, scope, now, {
    kind: sendKind,
    eventId,
    season: round.season,
    total,
    action: 'next_level.sending',
  })
}

/** Enqueues reminders to schools that have not answered. Returns the job's id. */
export async function startRemind(tx: Tx, scope: OfficeScope, now: Date, eventId: number): Promise<string> {
  const round = await lockRound(tx, eventId)
  if (round.answer_by < istDay(now)) throw new Refusal('next_level.day_past')
  const total = await schoolsThat(tx, eventId, toRemind(now))
  if (total === 0) throw new Refusal('next_level.nobody_open')
  return start(tx, scope, now, {
    kind: remindKind,
    eventId,
    season: round.season,
    total,
    action: 'next_level.reminding',
  })
}

interface Start {
  kind: string
  eventId: number
  season: string
  total: number
  action: string
}

async function start(tx: Tx, scope: OfficeScope, now: Date, { kind, eventId, season, total, action }: Start) {
  const input = { eventId }
  const jobId = await enqueueJob(tx, now, { kind, season, total, input, createdBy: scope.staffId })
  await sql`update next_level_rounds set job_id = ${jobId} where event_id = ${eventId}`.execute(tx)
  await audit(tx, now, scope, action, subjectOf(eventId, season), { schools: total })
  return jobId
}

interface Batch {
  eventId: number
  jobId: string
  /** Address of the school's invitations page */
  link: string
  size: number
}

/** The next schools to notify. */
async function nextSchools(tx: Tx, batch: Batch, where: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct i.school_id as id from next_level_invitations i
    where i.event_id = ${batch.eventId} and ${where} order by i.school_id limit ${batch.size}`.execute(tx)
  return rows.map(({ id }) => id)
}

async function write(tx: Tx, now: Date, kind: InvitationMail, batch: Batch, schools: readonly number[]) {
  const about = await roundDetails(tx, batch.eventId)
  const mine = sql`i.school_id = any(${[...schools]}::bigint[]) and ${needsInvitationMail(kind, now)}`
  const letters = new Map((await lettersFor(tx, batch.eventId, mine)).map((item) => [item.schoolId, item]))
  let mails = 0
  for (const reader of await readersOf(tx, [...letters.keys()])) {
    const letter = letters.get(reader.schoolId)
    if (!letter) continue
    const language = languageOf(reader)
    await enqueueMail(tx, now, {
      key: `next-level:${batch.jobId}:${kind}:${reader.id}`,
      kind: 'next-level',
      to: { name: reader.name, address: reader.email },
      ...(await letterFor(tx, kind, letter, about, { name: reader.name, language, link: batch.link })),
    })
    mails++
  }
  return mails
}

/** Notifies the next batch of schools. Returns the number of schools and e-mails; 0 schools when done. */
async function sendBatch(tx: Tx, now: Date, batch: Batch) {
  const open = sql`${pending} and ${released}`
  const schools = await nextSchools(tx, batch, open)
  if (schools.length === 0) return { schools: 0, mails: 0 }
  const mails =
    (await write(tx, now, 'invitation', batch, schools)) +
    (await write(tx, now, 'withdrawal', batch, schools))
  await sql`
    update next_level_invitations i set notice = case when i.wanted then 'invited' else 'withdrawn' end,
      notified_at = ${now}::timestamptz, reminded_at = null,
      answer = case when i.wanted then '' else i.answer end, answer_note = case when i.wanted then '' else i.answer_note end,
      answered_by = case when i.wanted then null else i.answered_by end,
      answered_at = case when i.wanted then null else i.answered_at end
    where i.event_id = ${batch.eventId} and i.school_id = any(${schools}::bigint[]) and ${open}`.execute(tx)
  return { schools: schools.length, mails }
}

/** Reminds the next batch of schools. */
async function remindBatch(tx: Tx, now: Date, batch: Batch) {
  const due = toRemind(now)
  const schools = await nextSchools(tx, batch, due)
  if (schools.length === 0) return { schools: 0, mails: 0 }
  const mails = await write(tx, now, 'reminder', batch, schools)
  await sql`
    update next_level_invitations i set reminded_at = ${now}::timestamptz
    where i.event_id = ${batch.eventId} and i.school_id = any(${schools}::bigint[]) and ${due}`.execute(tx)
  return { schools: schools.length, mails }
}

/** The page where a school sees its invitations. */
export const invitationsPage = (publicUrl: string) => new URL('/result/nextlevel', publicUrl).href

const schoolsAtOnce = 50

/** Jobs that notify or remind schools about the next level, in batches. */
export function nextLevelJobs({ settings }: Pick<Deps, 'settings'>): JobHandlers {
  const link = invitationsPage(settings.publicUrl)
  return {
    [sendKind]: (job, context) => run(sendBatch, 'next_level.sent', link, job, context),
    [remindKind]: (job, context) => run(remindBatch, 'next_level.reminded', link, job, context),
  }
}

/** Batches mark what they sent in the rows, so that an interrupted run continues after them. */
async function run(
  batch: typeof sendBatch,
  action: string,
  link: string,
  job: Job,
  { db, clock, progress, checkpoint }: JobContext,
) {
  const eventId = Number(job.input.eventId)
  const sent = { schools: Number(job.output?.schools ?? 0), mails: Number(job.output?.mails ?? 0) }
  // One instant for the whole run, so that it does not remind a school twice.
  const now = clock()
  while (true) {
    const some = await db.transaction().execute(async (tx) => {
      // Once the job is stopped, the list can be changed again: not before what it has written is marked as notified.
      await sql`select from next_level_rounds where event_id = ${eventId} for share`.execute(tx)
      const made = await batch(tx, now, { eventId, jobId: job.id, link, size: schoolsAtOnce })
      if (made.schools > 0)
        await audit(tx, now, systemScope('Invitations'), action, await subject(tx, eventId), made)
      return made
    })
    if (some.schools === 0) return sent
    sent.schools += some.schools
    sent.mails += some.mails
    await checkpoint(sent)
    await progress(sent.schools, Math.max(job.total, sent.schools))
  }
}

async function subject(tx: Tx, eventId: number) {
  const { rows } = await sql<{ season: string }>`
    select season from next_level_rounds where event_id = ${eventId}`.execute(tx)
  return subjectOf(eventId, rows[0]?.season ?? '')
}
