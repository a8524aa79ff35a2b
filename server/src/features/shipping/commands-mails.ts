import type { WrittenLanguage } from '@podium/contract/languages'
import type { DueContents } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import type { Tx } from '#platform/db/database'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import { copiesIn, mailWord, pageOfSeason, renderMail } from '#platform/mail/mail-templates'
import { languageOf } from '#platform/words'

interface SentParcel {
  id: number
  schoolId: number
  season: string
  contents: DueContents
  copies: number
  courier: string
  number: string
}

function sentLine(language: WrittenLanguage, { id, contents, copies, courier, number }: SentParcel): string {
  const parcel = mailWord(language, 'parcel', { id, contents: mailWord(language, contents) })
  const counted = copies > 0 ? `${parcel}, ${copiesIn(language, copies)}` : parcel
  return `    ${counted} · ${courier}${number === '' ? '' : ` ${number}`}`
}

/** E-mails each school once about its parcels handed to the courier. */
export async function mailDispatched(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  trackPage: string,
): Promise<void> {
  const { rows } = await sql<SentParcel>`
    select p.id, p.school_id as "schoolId", p.season, p.contents, p.courier_name as courier,
      p.consignment_no as number,
      coalesce((select sum(l.quantity)::int from packet_lines l where l.packet_id = p.id), 0) as copies
    from packets p where p.id = any(${[...ids]}::bigint[]) order by p.id`.execute(tx)
  const people = await readersOf(tx, [...new Set(rows.map(({ schoolId }) => schoolId))])
  const sender = await mailSender(tx)
  for (const person of people) {
    const parcels = rows.filter(({ schoolId }) => schoolId === person.schoolId)
    const [first] = parcels
    if (!first) continue
    const language = languageOf(person)
    await enqueueMail(tx, now, {
      key: `packet:${first.id}:dispatched:${person.id}`,
      kind: 'packet-dispatched',
      to: { name: person.name, address: person.email },
      ...renderMail(sender, language, parcels.length === 1 ? 'parcel-dispatched' : 'parcels-dispatched', {
        name: person.name,
        id: first.id,
        n: parcels.length,
        season: first.season,
        lines: parcels.map((parcel) => sentLine(language, parcel)).join('\n'),
        trackPage: pageOfSeason(trackPage, first.season),
      }),
    })
  }
}
