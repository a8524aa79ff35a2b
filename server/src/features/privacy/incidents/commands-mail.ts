import { type IncidentMail, mostAtOnce } from '@podium/contract/privacy/calls-incidents'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { lockIncident, type Seen, subjectOf } from './commands.ts'
import { lettersOf } from './queries.ts'
import { addressOf } from './queries-people.ts'

/** Writes the mail in both languages; once it has left to somebody it stays as it was. */
export async function saveMail(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, mail }: Seen & { mail: IncidentMail },
): Promise<void> {
  const before = await lockIncident(tx, { id, version })
  if (before.sentAt !== null) throw new Refusal('incident.sent')
  await tx
    .updateTable('incidents')
    .set({ mail: JSON.stringify(mail) })
    .where('id', '=', id)
    .execute()
  await audit(tx, now, scope, 'incident.worded', subjectOf(id), { from: { ...before.mail }, to: mail })
}

/**
 * Sends the mail to everybody who waits for it and has an e-mail, at most `mostAtOnce` of them: one to each address, in
 * the language of its reader or in both where a family has never said which. Whoever is added later gets it by the next
 * sending. The lock on the breach keeps two sendings apart. Answers how many people were told by how many mails.
 */
export async function sendMail(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: Seen,
): Promise<{ people: number; mails: number }> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { mail } = await lockIncident(tx, seen)
  if (mail === null) throw new Refusal('incident.mail_missing')
  const { en, hi } = await lettersOf(tx, mail)
  const both = { subject: `${en.subject} / ${hi.subject}`, text: `${en.text}\n* * *\n\n${hi.text}` }
  const letters = JSON.stringify({ en, hi, both })
  const { rows } = await sql<{ people: number; mails: number }>`
    with waiting as (
      select p.id, ${addressOf} as address, coalesce(
        (select u.language from users u where u.id = p.user_id),
        (select c.language from consents c where c.student_id = p.student_id order by c.id desc limit 1)) as language
      from incident_people p where p.incident_id = ${seen.id} and p.told_at is null and ${addressOf} <> ''
      order by p.id limit ${mostAtOnce}),
    readers as (
      select address, ${`incident:${seen.id}:`} || min(id) as key, coalesce(min(language) filter (where language in ('en', 'hi')), 'both') as language
      from waiting group by address),
    mailed as (
      insert into outbox (key, kind, payload, created_at, due_at)
      select key, 'incident', ${letters}::jsonb -> language || jsonb_build_object('to', jsonb_build_object('name', '', 'address', address)), ${now}, ${now}
      from readers order by key returning 1),
    told as (
      update incident_people p set told_at = ${now}, told_by_way = 'mail', mail_key = r.key
      from waiting w join readers r on r.address = w.address where p.id = w.id returning 1)
    select (select count(*)::int from told) as people, (select count(*)::int from mailed) as mails`.execute(
    tx,
  )
  const sent = rows[0] ?? { people: 0, mails: 0 }
  if (sent.people === 0) throw new Refusal('incident.nobody_to_tell')
  await sql`update incidents set sent_by = ${scope.staffId}, sent_at = ${now} where id = ${seen.id}`.execute(
    tx,
  )
  await audit(tx, now, scope, 'incident.told', subjectOf(seen.id), sent)
  return sent
}
