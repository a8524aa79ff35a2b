import { messages } from '@podium/contract/messages'
import type { reportBounce } from '@podium/contract/office/calls-bounces'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import { type OfficeScope, systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { errorText, oneLine } from '#platform/jobs/outbox'
import { wakesAfter } from '#platform/jobs/worker'
import { mailNamed, markAddress } from '#platform/mail/bounces'
import type { Language } from '#platform/mail/mail-templates'
import { type MailTextKind, mailTextKind, ofMailText, placeholdersIn } from '#platform/mail/mail-texts'
import { notAgain } from './queries.ts'

type Report = z.output<typeof reportBounce.body>

/**
 * Keeps what the provider of the mail server says of a mail: that it came back for good, or that it arrived, by which an
 * address is as good as before. What is tried again says nothing yet. A mail that nobody knows leaves nothing.
 */
export async function takeBounce(tx: Tx, now: Date, report: Report): Promise<void> {
  const { messageId, recipient, status } = report
  const named = mailNamed(messageId)
  const mail = await tx
    .selectFrom('outbox')
    .select(['id', 'key', 'kind', 'school_id'])
    .where('id', '=', named?.id ?? 0)
    .where('done_at', 'is not', null)
    .executeTakeFirst()
  if (!mail || !named?.has(mail.key)) return
  // Its clock may be ahead of ours.
  const at = new Date(Math.min(Date.parse(report.at), now.getTime()))
  if (status.startsWith('2.'))
    await tx.deleteFrom('bounced_addresses').where('address', '=', recipient).where('at', '<', at).execute()
  if (!status.startsWith('5.')) return
  const reason = oneLine(errorText(report.reason))
  const kept = await tx
    .insertInto('mail_bounces')
    .values({ outbox_id: mail.id, at, status, reason })
    .onConflict((conflict) => conflict.doNothing())
    .returning('outbox_id')
    .executeTakeFirst()
  if (!kept) return
  await markAddress(tx, { outboxId: mail.id, address: recipient, status, at })
  const subject = {
    kind: 'mail',
    id: mail.id,
    ...(mail.school_id === null ? {} : { schoolId: mail.school_id }),
  }
  await audit(tx, now, systemScope('Mail server'), 'mail.bounced', subject, { kind: mail.kind, status })
}

interface Which {
  kind: string
  language: Language
}

interface Written extends Which {
  subject: string
  body: string
}

/** The kind of a text, whose placeholders are known and complete; refuses at the field what is not. */
export function checkedKind({ kind, subject, body }: Written): MailTextKind {
  const known = orNotFound(mailTextKind(kind))
  const { placeholders, needed } = ofMailText(known)
  const strange = (text: string) => placeholdersIn(text).find((name) => !(name in placeholders))
  const bad = strange(subject)
  if (bad !== undefined) throw refuseField('subject', messages.mailPlaceholderUnknown)
  if (strange(body) !== undefined) throw refuseField('body', messages.mailPlaceholderUnknown)
  const named = placeholdersIn(body)
  if (needed.some((name) => !named.includes(name))) throw refuseField('body', messages.mailPlaceholderMissing)
  return known
}

/** Writes the text of a mail in one language; `version` 0 where the program's own stood until now. */
export async function saveText(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: Written & { version: number },
): Promise<void> {
  const kind = checkedKind(input)
  const { language, subject, body, version } = input
  const before = await tx
    .selectFrom('mail_texts')
    .select(['subject', 'body', 'version'])
    .where('kind', '=', kind)
    .where('language', '=', language)
    .forUpdate()
    .executeTakeFirst()
  if ((before?.version ?? 0) !== version) throw new Refusal('changed_meanwhile')
  const columns = { subject, body, changed_by: scope.staffId, changed_at: now, version: version + 1 }
  const saved = await tx
    .insertInto('mail_texts')
    .values({ kind, language, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'language']).doUpdateSet(columns).where('mail_texts.version', '=', version),
    )
    .returning('version')
    .executeTakeFirst()
  if (!saved) throw new Refusal('changed_meanwhile')
  const from = before ?? ofMailText(kind)[language]
  const change = { language, from: { subject: from.subject, body: from.body }, to: { subject, body } }
  await audit(tx, now, scope, 'mail_text.changed', { kind: 'mail_text', id: kind }, change)
}

/** Puts the program's own text back. */
export async function restoreText(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { kind: name, language, version }: Which & { version: number },
): Promise<void> {
  const kind = orNotFound(mailTextKind(name))
  const gone = await tx
    .deleteFrom('mail_texts')
    .where('kind', '=', kind)
    .where('language', '=', language)
    .where('version', '=', version)
    .returning(['subject', 'body'])
    .executeTakeFirst()
  if (!gone) throw new Refusal('changed_meanwhile')
  const own = ofMailText(kind)[language]
  const change = { language, from: gone, to: { subject: own.subject, body: own.body } }
  await audit(tx, now, scope, 'mail_text.restored', { kind: 'mail_text', id: kind }, change)
}

/**
 * Puts mails that were given up on their way again, unless what they carry has expired; refuses when none of them has
 * failed, or can be sent. The text of a mail that failed long ago is deleted.
 */
export async function resend(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  ids: readonly number[],
): Promise<{ resent: number }> {
  const { rows } = await sql<{ id: number; kind: string; school_id: number | null; error: string | null }>`
    with old as (
      select id, error from outbox where id = any(${ids}::bigint[]) and failed_at is not null and done_at is null
        and payload <> '{}' and kind <> all(${notAgain}::text[])
      order by id for update)
    update outbox o set failed_at = null, attempts = 0, due_at = ${now}, claimed_until = null, error = null
    from old where o.id = old.id returning o.id, o.kind, o.school_id, old.error`.execute(tx)
  if (rows.length === 0) {
    const expired = await sql`
      select from outbox where id = any(${ids}::bigint[]) and failed_at is not null and done_at is null limit 1`.execute(
      tx,
    )
    throw new Refusal(expired.rows.length > 0 ? 'mails.expired' : 'mails.not_failed')
  }
  wakesAfter(tx)
  for (const { id, kind, school_id: schoolId, error } of rows) {
    const change = { kind, error: error ?? '' }
    await audit(
      tx,
      now,
      scope,
      'mail.resent',
      { kind: 'mail', id, ...(schoolId === null ? {} : { schoolId }) },
      change,
    )
  }
  return { resent: rows.length }
}
