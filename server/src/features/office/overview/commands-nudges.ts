import { formatRupees, paise, rupees } from '@podium/contract/money'
import { formatDay, istDay, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { textMail } from '#features/office/mails/queries-texts'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { enqueueMail } from '#platform/jobs/outbox'
import type { MailTextKind } from '#platform/mail/mail-texts'
import { restDays } from './queries.ts'
import { type SchoolStep, stepsNow } from './queries-steps.ts'

interface Person {
  id: number
  schoolId: number
  school: string
  name: string
  email: string
  language: string
}

/** Locks the schools, and gives those that were not reminded lately with everybody who can be written to. */
async function reachable(tx: Tx, now: Date, ids: readonly number[]): Promise<Person[]> {
  await tx.selectFrom('schools').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
  const rest = new Date(now.getTime() - restDays * 86_400_000)
  const { rows } = await sql<Person>`
    select u.id, o.id as "schoolId", o.name as school, u.name, u.email, u.language
    from schools o join users u on u.school_id = o.id and u.disabled_at is null
    where o.id = any(${ids}::bigint[])
      and not exists (select from school_nudges n where n.school_id = o.id and n.sent_at > ${rest})
    order by o.id, u.id`.execute(tx)
  return rows
}

const kinds = {
  enrol: 'nudge-enrol',
  pay: 'nudge-pay',
  'choose-dates': 'nudge-dates',
} as const satisfies Record<SchoolStep['step'], MailTextKind>

const pages = {
  enrol: '/student/entry',
  pay: '/Importantlink/managepayment',
  'choose-dates': '/School/examdate',
}

/**
 * Reminds schools of what they have to do next, as it is at this moment: a mail to each of their people in their
 * language, a record of it, an audit line. Leaves out who was reminded in the last three days, has nobody to write to
 * or nothing to do; refuses when nobody is left.
 */
export async function sendNudges(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { FYear: season, ids }: { FYear: Season; ids: readonly number[] },
) {
  const people = await reachable(tx, now, ids)
  const steps = await stepsNow(tx, season, istDay(now), [...new Set(people.map(({ schoolId }) => schoolId))])
  if (steps.length === 0) throw new Refusal('nudges.too_soon')
  let mails = 0
  for (const step of steps) {
    const those = people.filter(({ schoolId }) => schoolId === step.school_id)
    const { id } = await tx
      .insertInto('school_nudges')
      .values({
        school_id: step.school_id,
        season,
        step: step.step,
        people: those.length,
        sent_by: scope.staffId,
        sent_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const person of those) await mailNudge(tx, now, publicUrl, season, step, person, id)
    mails += those.length
    const subject = { kind: 'nudge', id, schoolId: step.school_id, season }
    await audit(tx, now, scope, 'nudge.sent', subject, { step: step.step, people: those.length })
  }
  return { sent: steps.length, mails, leftOut: new Set(ids).size - steps.length }
}

async function mailNudge(
  tx: Tx,
  now: Date,
  publicUrl: string,
  season: Season,
  { step, until, due }: SchoolStep,
  person: Person,
  nudgeId: number,
): Promise<void> {
  const values = {
    school: person.school,
    season,
    day: until === null ? '–' : formatDay(until),
    amount: formatRupees(rupees(paise(due))),
    link: `${publicUrl}${pages[step]}`,
  }
  await enqueueMail(tx, now, {
    key: `nudge:${nudgeId}:${person.id}`,
    kind: 'nudge',
    to: { name: person.name, address: person.email },
    ...(await textMail(tx, kinds[step], person, values)),
  })
}
