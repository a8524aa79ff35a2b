import { formatDay, istDay, istTime } from '@podium/contract/season'
import { sql } from 'kysely'
import { mailSender } from '#features/office/settings/queries-foundation'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { enqueueMail } from '#platform/jobs/outbox'
import { letter } from '#platform/mail/mail-templates'
import { onlineEvent } from './queries-office.ts'

interface Untold {
  schoolId: number
  students: number
  first: Date
  last: Date
}

interface Person {
  id: number
  name: string
  email: string
  schoolId: number
}

const momentText = (at: Date) => `${formatDay(istDay(at))}, ${istTime(at)}`

/** Tells every school whose students have hours that it does not know yet; what was told is told again only after a change. */
export async function tellSchools(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { eventId, page }: { eventId: number; page: string },
) {
  const { season, subject } = await onlineEvent(tx, eventId)
  const { rows: schools } = await sql<Untold>`
    with told as (
      update exam_schedules x set told_at = ${now}::timestamptz from students s
      where s.id = x.student_id and s.active and x.event_id = ${eventId} and x.told_at is null
        and x.schedule_status <> 'Cancelled'
      returning s.school_id, x.from_at, x.to_at)
    select school_id as "schoolId", count(*)::int as students, min(from_at) as first, max(to_at) as last
    from told group by school_id order by school_id`.execute(tx)
  if (schools.length === 0) throw new Refusal('schedules.nobody')
  const { rows: people } = await sql<Person>`
    select u.id, u.name, u.email, u.school_id as "schoolId" from users u
    where u.school_id = any(${schools.map(({ schoolId }) => schoolId)}::bigint[]) and u.disabled_at is null
      and (u.coordinator or not exists (
        select from users c where c.school_id = u.school_id and c.coordinator and c.disabled_at is null))
    order by u.id`.execute(tx)
  const sender = await mailSender(tx)
  const bySchool = new Map(schools.map((school) => [school.schoolId, school]))
  for (const person of people) {
    const school = bySchool.get(person.schoolId)
    if (!school) continue
    await enqueueMail(tx, now, {
      key: `schedule:${eventId}:${now.getTime()}:${person.id}`,
      kind: 'exam-schedule',
      to: { name: person.name, address: person.email },
      ...letter(
        sender,
        'en',
        `Hours of the online olympiad ${subject} ${season}`,
        person.name,
        `The hours of ${school.students} of your students in ${subject} are fixed or have changed: between ${momentText(school.first)} and ${momentText(school.last)} (IST).`,
        `Each student's hours are here: ${page}`,
      ),
    })
  }
  const students = schools.reduce((sum, school) => sum + school.students, 0)
  const told = { schools: schools.length, students }
  await audit(tx, now, scope, 'schedule.told', { kind: 'schedule', id: eventId, season }, told)
  return told
}
