import { messages } from '@podium/contract/messages'
import { mailingPlaceholders, mostMailed, typedFrom } from '@podium/contract/schools/calls-mailings'
import { parseSeason } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { cancelJob, enqueueJob } from '#platform/jobs/jobs'
import { enqueueMail } from '#platform/jobs/outbox'
import { type MailText, placeholdersIn } from '#platform/mail/mail-texts'
import {
  type Letter,
  letterTo,
  type MailingChoice,
  mailedSchools,
  previewAt,
  schoolsMailed,
} from './queries.ts'

/** Kind of the job that writes the mails. */
export const mailingKind = 'schools.mailing'

/** Refuses, at its field, a placeholder that there is not. */
export function checkLetter(letter: MailText): void {
  const known: readonly string[] = mailingPlaceholders
  for (const field of ['subject', 'body'] as const)
    if (placeholdersIn(letter[field]).some((name) => !known.includes(name)))
      throw refuseField(field, messages.mailPlaceholderUnknown)
}

interface Sending {
  choice: MailingChoice
  letter: Letter
  /** How many schools the officer was told of */
  schools: number
  /** The same, typed */
  typed: string
}

/** The filters that are set, for the record. */
const setOf = ({ FYear: _, readers: _readers, ...filters }: MailingChoice): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '' && value !== 'all'))

/**
 * Plans an e-mail to the schools as they are found now. Refuses when there is none, too many, not as many as were shown,
 * and, of many, a number that was not typed.
 */
export async function startMailing(tx: Tx, scope: OfficeScope, now: Date, sending: Sending) {
  const { choice, letter, schools, typed } = sending
  checkLetter(letter)
  const ids = await schoolsMailed(tx, scope, now, choice)
  if (ids.length === 0) throw new Refusal('mailings.none')
  if (ids.length > mostMailed) throw new Refusal('mailings.many')
  if (ids.length !== schools) throw new Refusal('mailings.changed')
  if (ids.length >= typedFrom && typed.replace(/[\s,]/g, '') !== String(ids.length))
    throw refuseField('typed', messages.mailingTyped)
  const filters = setOf(choice)
  const { id } = await tx
    .insertInto('school_mailings')
    .values({
      season: letter.season,
      subject: letter.subject,
      body: letter.body,
      readers: choice.readers,
      filters: JSON.stringify(filters),
      created_by: scope.staffId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into school_mailing_schools (mailing_id, school_id) select ${id}::bigint, unnest(${ids}::bigint[])`.execute(
    tx,
  )
  const jobId = await enqueueJob(tx, now, {
    kind: mailingKind,
    season: letter.season,
    total: ids.length,
    input: { mailingId: id },
    createdBy: scope.staffId,
  })
  await tx.updateTable('school_mailings').set({ job_id: jobId }).where('id', '=', id).execute()
  const told = { subject: letter.subject, readers: choice.readers, schools: ids.length, filters }
  await audit(tx, now, scope, 'mailing.started', { kind: 'mailing', id, season: letter.season }, told)
  return { mailingId: id }
}

/** Sends the mail as the first of the schools would get it to the officer alone. */
export async function sendTest(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { choice, letter }: Pick<Sending, 'choice' | 'letter'>,
): Promise<void> {
  checkLetter(letter)
  const { subject, text } = await previewAt(tx, scope, now, { choice, letter, at: 0 })
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
 * Writes the mails of the next schools whose turn has not come, and marks them in the same transaction: whoever goes on
 * after a fall writes to nobody twice. A school that was switched off or merged meanwhile gets none. Answers how many
 * schools those were.
 */
export async function mailSome(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { mailingId, link, most }: { mailingId: number; link: string; most: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select school_id as id from school_mailing_schools where mailing_id = ${mailingId} and mails is null
    order by school_id limit ${most} for update`.execute(tx)
  if (rows.length === 0) return 0
  const mailing = await tx
    .selectFrom('school_mailings')
    .select(['season', 'subject', 'body', 'readers'])
    .where('id', '=', mailingId)
    .executeTakeFirstOrThrow()
  const season = orNotFound(parseSeason(mailing.season))
  const letter: Letter = { ...mailing, season, link }
  const readers = mailing.readers === 'everyone' ? 'everyone' : 'coordinators'
  const ids = rows.map(({ id }) => id)
  const sender = await mailSender(tx)
  const written = new Map(ids.map((id) => [id, 0]))
  for (const school of await mailedSchools(tx, ids, { season: letter.season, readers })) {
    for (const { name, email } of school.readers) {
      await enqueueMail(tx, now, {
        key: `mailing:${mailingId}:${school.id}:${email}`,
        kind: 'mailing',
        to: { name, address: email },
        schoolId: school.id,
        mailingId,
        ...letterTo(sender, letter, school, name),
      })
    }
    written.set(school.id, school.readers.length)
    const about = { kind: 'mailing', id: mailingId, schoolId: school.id, season: letter.season }
    const told = { subject: letter.subject, mails: school.readers.length }
    await audit(tx, now, scope, 'mailing.sent', about, told)
  }
  await sql`
    update school_mailing_schools k set mails = w.mails
    from unnest(${[...written.keys()]}::bigint[], ${[...written.values()]}::int[]) as w (school_id, mails)
    where k.mailing_id = ${mailingId} and k.school_id = w.school_id`.execute(tx)
  return rows.length
}

/** Stops an e-mail that is being sent; one that has ended stays as it is. */
export async function stopMailing(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const mailing = orNotFound(
    await tx
      .selectFrom('school_mailings')
      .select(['job_id', 'season'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  if (!(await cancelJob(tx, now, mailing.job_id ?? ''))) return
  await audit(tx, now, scope, 'mailing.stopped', { kind: 'mailing', id, season: mailing.season })
}
