import type { reportBounce } from '@podium/contract/office/calls-bounces'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { errorText, oneLine } from '#platform/jobs/outbox'
import { mailNamed, markAddress } from '#platform/mail/bounces'

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
