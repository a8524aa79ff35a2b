import type { WrittenLanguage } from '@podium/contract/languages'
import type { DueContents } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import type { Tx } from '#platform/db/database'
import { copiesIn, mailWord, pageOfSeason } from '#platform/mail/mail-templates'
import { mailPeople } from '#platform/mail/mail-texts'

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
  await mailPeople(tx, now, people, (person, language) => {
    const parcels = rows.filter(({ schoolId }) => schoolId === person.schoolId)
    const [first] = parcels
    return (
      first && {
        key: `packet:${first.id}:dispatched:${person.id}`,
        kind: 'packet-dispatched',
        mail: parcels.length === 1 ? 'parcel-dispatched' : 'parcels-dispatched',
        values: {
          id: first.id,
          n: parcels.length,
          season: first.season,
          lines: parcels.map((parcel) => sentLine(language, parcel)).join('\n'),
          trackPage: pageOfSeason(trackPage, first.season),
        },
      }
    )
  })
}
