import { messages } from '@podium/contract/messages'
import * as calls from '@podium/contract/schools/calls-mailings'
import { parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { countLedgers } from '#features/ledger/commands'
import { notifyOwners } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { officerScope } from '#platform/auth/job-requesters'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { serve, write } from '#platform/http/http'
import { idempotent } from '#platform/http/idempotency'
import { cancelJob, enqueueJob, type JobHandlers } from '#platform/jobs/jobs'
import { enqueueMail } from '#platform/jobs/outbox'
import type { MailText } from '#platform/mail/mail-templates'
import { findPlaceholders } from '#platform/words'
import * as queries from './queries.ts'

/** Schools e-mailed in one transaction. */
const atOnce = 50

const linkOf = ({ settings }: Pick<Deps, 'settings'>) => `${settings.publicUrl}/login`

/** The e-mail's text, apart from its recipients. */
function parseBody(deps: Deps, body: queries.MailingChoice & MailText) {
  const { subject, body: text, ...choice } = body
  return { choice, letter: { subject, body: text, season: body.FYear, link: linkOf(deps) } }
}

/** Updates the ledger first, so that no school is reminded of what it has paid meanwhile. */
async function upToDate({ db }: Deps, { list }: queries.MailingChoice): Promise<void> {
  if (list === 'ledger') while ((await countLedgers(db)) > 0);
}

/** Routes for the office's e-mails to many schools. */
export function schoolMailingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.mailings, 'office:mails.read', ({ scope, query }) =>
    queries.mailingsSent(db, scope, query.page),
  )

  serve(app, deps, calls.mailingPlan, 'office:mailings.send', async ({ scope, query, now }) => {
    await upToDate(deps, query)
    return queries.planOf(db, scope, now, query)
  })

  serve(app, deps, calls.previewMailing, 'office:mailings.send', async ({ scope, body, now }) => {
    const { at, ...written } = body
    await upToDate(deps, written)
    const typed = parseBody(deps, written)
    checkLetter(typed.letter)
    return queries.previewAt(db, scope, now, { ...typed, at })
  })

  serve(app, deps, calls.testMailing, 'office:mailings.send', async ({ scope, body, now }) => {
    await deps.limits.take('mailing-test.per-staff', String(scope.staffId))
    await db.transaction().execute((tx) => sendTest(tx, scope, now, parseBody(deps, body)))
    deps.wake()
    return {}
  })

  serve(app, deps, calls.sendMailing, 'office:mailings.send', async (call) => {
    const { scope, body, now } = call
    const { schools, typed, ...written } = body
    await upToDate(deps, written)
    const sending = { ...parseBody(deps, written), schools, typed }
    const whose = String(scope.staffId)
    // Counted on a separate connection, so before the transaction; refused mailings don't count.
    await deps.limits.take('mailing.per-staff', whose)
    const sent = db.transaction().execute((tx) =>
      idempotent(tx, call, async () => {
        const started = await startMailing(tx, scope, now, sending)
        if (schools >= calls.confirmCountFrom) {
          const mailing = { what: 'mailing', subject: sending.letter.subject, schools } as const
          await notifyOwners(tx, scope, now, String(started.mailingId), mailing)
        }
        return started
      }),
    )
    await sent.catch(() => deps.limits.giveBack('mailing.per-staff', whose))
    deps.wake()
    return sent
  })

  write(app, deps, calls.stopMailing, 'office:mailings.send', (tx, { scope, body, now }) =>
    stopMailing(tx, scope, now, body.mailingId),
  )
}

/** Jobs that e-mail the schools in batches. */
export function mailingJobs(deps: Pick<Deps, 'settings' | 'wake'>): JobHandlers {
  return {
    [mailingKind]: async (job, context) => {
      const { db, clock, progress } = context
      const scope = officerScope(context)
      const work = { mailingId: Number(job.input.mailingId), link: linkOf(deps), limit: atOnce }
      for (let done = job.done; ; ) {
        const some = await db.transaction().execute((tx) => mailNextBatch(tx, scope, clock(), work))
        if (some === 0) return {}
        done += some
        deps.wake()
        await progress(done)
      }
    },
  }
}

/** Kind of the job that creates the e-mails. */
const mailingKind = 'schools.mailing'

/** Refuses an unknown placeholder at its field. */
function checkLetter(letter: MailText): void {
  const known: readonly string[] = calls.mailingPlaceholders
  for (const field of ['subject', 'body'] as const)
    if (findPlaceholders(letter[field]).some((name) => !known.includes(name)))
      throw refuseField(field, messages.mailPlaceholderUnknown)
}

interface MailingRequest {
  choice: queries.MailingChoice
  letter: queries.Letter
  /** How many schools the officer was shown */
  schools: number
  /** The same number, typed as confirmation */
  typed: string
}

/** The active filters, for the activity log. */
const setOf = ({ FYear: _, readers: _readers, ...filters }: queries.MailingChoice): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '' && value !== 'all'))

/**
 * Enqueues an e-mail to the schools that match now. Refuses if there are none, too many, or a different number than shown,
 * and for many schools if the number was not typed.
 */
async function startMailing(tx: Tx, scope: OfficeScope, now: Date, sending: MailingRequest) {
  const { choice, letter, schools, typed } = sending
  checkLetter(letter)
  const ids = await queries.schoolsMailed(tx, scope, now, choice)
  if (ids.length === 0) throw new Refusal('mailings.none')
  if (ids.length > calls.maxMailed) throw new Refusal('mailings.many')
  if (ids.length !== schools) throw new Refusal('mailings.changed')
  if (ids.length >= calls.confirmCountFrom && typed.replace(/[\s,]/g, '') !== String(ids.length))
    throw refuseField('typed', messages.mailingTyped)
  const filters = setOf(choice)
  const { id } = await addedRow(tx, 'school_mailings', ['id'], {
    season: letter.season,
    subject: letter.subject,
    body: letter.body,
    readers: choice.readers,
    filters: JSON.stringify(filters),
    created_by: scope.staffId,
    created_at: now,
  })
  await sql`
    insert into school_mailing_schools (mailing_id, school_id)
    select ${id}::bigint, unnest(${ids}::bigint[])`.execute(tx)
  const jobId = await enqueueJob(tx, now, {
    kind: mailingKind,
    season: letter.season,
    total: ids.length,
    input: { mailingId: id },
    createdBy: scope.staffId,
  })
  await tx.updateTable('school_mailings').set({ job_id: jobId }).where('id', '=', id).execute()
  const change = { subject: letter.subject, readers: choice.readers, schools: ids.length, filters }
  await audit(tx, now, scope, 'mailing.started', { kind: 'mailing', id, season: letter.season }, change)
  return { mailingId: id }
}

/** Sends the e-mail, as the first school would get it, to the officer only. */
async function sendTest(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { choice, letter }: Pick<MailingRequest, 'choice' | 'letter'>,
): Promise<void> {
  checkLetter(letter)
  const { subject, text } = await queries.previewAt(tx, scope, now, { choice, letter, at: 0 })
  await enqueueMail(tx, now, {
    key: `mailing-test:${scope.staffId}:${now.getTime()}`,
    kind: 'staff',
    to: { name: scope.name, address: scope.email },
    subject,
    text,
  })
  const about = { kind: 'mailing', id: 'test', season: letter.season }
  await audit(tx, now, scope, 'mailing.tested', about, { subject: letter.subject })
}

/**
 * Creates the e-mails for the next batch of schools and marks them in the same transaction, so that no one gets two after a
 * restart. Schools deactivated or merged meanwhile get none. Returns the number of schools.
 */
export async function mailNextBatch(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { mailingId, link, limit }: { mailingId: number; link: string; limit: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select school_id as id from school_mailing_schools where mailing_id = ${mailingId} and mails is null
    order by school_id limit ${limit} for update`.execute(tx)
  if (rows.length === 0) return 0
  const mailing = await tx
    .selectFrom('school_mailings')
    .select(['season', 'subject', 'body', 'readers'])
    .where('id', '=', mailingId)
    .executeTakeFirstOrThrow()
  const season = orNotFound(parseSeason(mailing.season))
  const letter: queries.Letter = { ...mailing, season, link }
  const readers = mailing.readers === 'everyone' ? 'everyone' : 'coordinators'
  const ids = rows.map(({ id }) => id)
  const sender = await mailSender(tx)
  const written = new Map(ids.map((id) => [id, 0]))
  for (const school of await queries.mailedSchools(tx, ids, { season: letter.season, readers })) {
    for (const { name, email } of school.readers) {
      await enqueueMail(tx, now, {
        key: `mailing:${mailingId}:${school.id}:${email}`,
        kind: 'mailing',
        to: { name, address: email },
        schoolId: school.id,
        mailingId,
        ...queries.letterTo(sender, letter, school, name),
      })
    }
    written.set(school.id, school.readers.length)
    const about = { kind: 'mailing', id: mailingId, schoolId: school.id, season: letter.season }
    const change = { subject: letter.subject, mails: school.readers.length }
    await audit(tx, now, scope, 'mailing.sent', about, change)
  }
  await sql`
    update school_mailing_schools k set mails = w.mails
    from unnest(${[...written.keys()]}::bigint[], ${[...written.values()]}::int[]) as w (school_id, mails)
    where k.mailing_id = ${mailingId} and k.school_id = w.school_id`.execute(tx)
  return rows.length
}

/** Stops a mailing in progress; a finished one stays as it is. */
async function stopMailing(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const mailing = orNotFound(await firstRow(tx, 'school_mailings', { id }, ['job_id', 'season']))
  if (!(await cancelJob(tx, now, mailing.job_id ?? ''))) return
  await audit(tx, now, scope, 'mailing.stopped', { kind: 'mailing', id, season: mailing.season })
}
