import type { DueContents } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import { mailSender } from '#features/office/settings/queries'
import type { Tx } from '#platform/db/database'
import { enqueueMail } from '#platform/jobs/outbox'
import { letter } from '#platform/mail/mail-templates'
import { contentTitle } from './packets/rules.ts'

interface Recipient {
  id: number
  name: string
  email: string
  schoolId: number
}

/** Who is told at schools: their coordinators; where there is none, everybody who can sign in. */
export async function peopleToTell(tx: Tx, schoolIds: readonly number[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id, u.name, u.email, u.school_id as "schoolId" from users u
    where u.school_id = any(${[...schoolIds]}::bigint[]) and u.disabled_at is null and (u.coordinator or not exists (
      select from users c where c.school_id = u.school_id and c.coordinator and c.disabled_at is null))
    order by u.id`.execute(tx)
  return rows
}

interface Sent {
  id: number
  schoolId: number
  season: string
  contents: DueContents
  copies: number
  courier: string
  number: string
}

const sentLine = ({ id, contents, copies, courier, number }: Sent) =>
  [
    `    Packet ${id}: ${contentTitle[contents].toLowerCase()}${copies > 0 ? `, ${copies} copies` : ''}`,
    `${courier}${number === '' ? '' : ` ${number}`}`,
  ].join(' · ')

/** Tells each school once which of its parcels have been handed to the courier. */
export async function mailDispatched(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  trackPage: string,
): Promise<void> {
  const { rows } = await sql<Sent>`
    select p.id, p.school_id as "schoolId", p.season, p.contents, p.courier_name as courier,
      p.consignment_no as number,
      coalesce((select sum(l.quantity)::int from packet_lines l where l.packet_id = p.id), 0) as copies
    from packets p where p.id = any(${[...ids]}::bigint[]) order by p.id`.execute(tx)
  const people = await peopleToTell(tx, [...new Set(rows.map(({ schoolId }) => schoolId))])
  const sender = await mailSender(tx)
  for (const person of people) {
    const parcels = rows.filter(({ schoolId }) => schoolId === person.schoolId)
    const [first] = parcels
    if (!first) continue
    const subject =
      parcels.length === 1
        ? `Packet ${first.id} is on its way to your school`
        : `${parcels.length} packets are on their way to your school`
    await enqueueMail(tx, now, {
      key: `packet:${first.id}:dispatched:${person.id}`,
      kind: 'packet-dispatched',
      to: { name: person.name, address: person.email },
      ...letter(
        sender,
        'en',
        subject,
        person.name,
        `We have handed over to the courier (season ${first.season}):\n\n${parcels.map(sentLine).join('\n')}`,
        `Follow the way here, and confirm there how many copies have arrived: ${trackPage}`,
      ),
    })
  }
}
