import { className } from '@podium/contract/classes'
import { sql } from 'kysely'
import { mailSender } from '#features/office/settings/queries-foundation'
import type { Tx } from '#platform/db/database'
import { enqueueMail } from '#platform/jobs/outbox'
import { waiverDecidedMail } from '#platform/mail/mail-templates-schools'

interface Decided {
  state: string
  decision: string
  class_id: number
  section: string
  roll_no: number
  name: string
  email: string
  language: string
}

/** Tells whoever of the school has asked, else its coordinator, what was decided; the child by class and roll no alone. */
export async function mailDecision(tx: Tx, now: Date, id: number, page: string): Promise<void> {
  const { rows } = await sql<Decided>`
    select w.state, w.decision, s.class_id, s.section, s.roll_no, u.name, u.email, u.language
    from waivers w join students s on s.id = w.student_id
      join lateral (
        select u.name, u.email, u.language from users u
        where u.disabled_at is null and u.school_id = w.school_id and (u.id = w.asked_by_user or u.coordinator)
        order by u.id = w.asked_by_user desc nulls last limit 1) u on true
    where w.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) return
  const section = row.section === '-' ? '' : ` ${row.section}`
  await enqueueMail(tx, now, {
    key: `waiver-decided:${id}`,
    kind: 'waiver',
    to: { name: row.name, address: row.email },
    ...waiverDecidedMail(await mailSender(tx), row.language === 'hi' ? 'hi' : 'en', {
      name: row.name,
      student: `${className(row.class_id)}${section}, ${row.roll_no}`,
      approved: row.state === 'approved',
      reason: row.decision,
      page,
    }),
  })
}
