import type { reportBounce } from '@podium/contract/office/calls-bounces'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import { type OfficeScope, systemScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
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

interface Working {
  /** The school that the address belongs to */
  id: number
  email: string
  at: string
}

/** Whose the address is: of somebody who signs in for the school, of a contact or of the school itself. */
async function ownerOf(tx: Tx, { id, email }: Working) {
  const { rows } = await sql<{ kind: 'user' | 'contact' | 'school'; id: number }>`
    select kind, id from (
      select 1 as place, 'user' as kind, id from users where school_id = ${id} and email = ${email}
      union all select 2, 'contact', id from contacts where school_id = ${id} and lower(email) = ${email}
      union all select 3, 'school', id from schools where id = ${id} and lower(email) = ${email}) o
    order by place, id desc limit 1`.execute(tx)
  return orNotFound(rows[0])
}

/**
 * Takes the mark off an address of a school, which the office knows to work again; once it has none, that changes nothing.
 * Refuses `not_found` for an address of another school, and `changed_meanwhile` where an e-mail has come back since.
 */
export async function clearMark(tx: Tx, scope: OfficeScope, now: Date, working: Working): Promise<void> {
  const owner = await ownerOf(tx, working)
  const mark = await tx
    .selectFrom('bounced_addresses')
    .select(['at', 'status'])
    .where('address', '=', working.email)
    .forUpdate()
    .executeTakeFirst()
  if (!mark) return
  // Shown to the second.
  if (Math.floor(mark.at.getTime() / 1000) > Date.parse(working.at) / 1000)
    throw new Refusal('changed_meanwhile')
  await tx.deleteFrom('bounced_addresses').where('address', '=', working.email).execute()
  const change = { from: { returnedSince: mark.at.toISOString() }, to: { returnedSince: '' } }
  await audit(tx, now, scope, 'school.address_works', { ...owner, schoolId: working.id }, change)
}
