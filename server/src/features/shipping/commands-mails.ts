import type { DueContents } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import type { Tx } from '#platform/db/database'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import {
  type Language,
  languageOf,
  type RenderedMail,
  renderMailIn,
  type Sender,
} from '#platform/mail/mail-templates'
import { contentTitle, copiesText } from './packets/rules.ts'

interface SentParcel {
  id: number
  schoolId: number
  season: string
  contents: DueContents
  copies: number
  courier: string
  number: string
}

const contentsInHindi: Record<DueContents, string> = {
  books: 'पुस्तकें',
  papers: 'प्रश्न पत्र',
  awards: 'पुरस्कार',
}

function sentLine(language: Language, { id, contents, copies, courier, number }: SentParcel): string {
  const parcel =
    language === 'hi'
      ? `    पार्सल ${id}: ${contentsInHindi[contents]}${copies > 0 ? `, ${copies} ${copies === 1 ? 'प्रति' : 'प्रतियाँ'}` : ''}`
      : `    Parcel ${id}: ${contentTitle[contents].toLowerCase()}${copies > 0 ? `, ${copiesText(copies)}` : ''}`
  return [parcel, `${courier}${number === '' ? '' : ` ${number}`}`].join(' · ')
}

interface DispatchedParcels {
  name: string
  first: SentParcel
  parcels: readonly SentParcel[]
  trackPage: string
}

function dispatchedMail(
  sender: Sender,
  language: Language,
  { name, first, parcels, trackPage }: DispatchedParcels,
): RenderedMail {
  const [n, lines] = [parcels.length, parcels.map((parcel) => sentLine(language, parcel)).join('\n')]
  return renderMailIn(sender, language, name, {
    hi: [
      n === 1 ? `पार्सल ${first.id} आपके विद्यालय के लिए रवाना` : `${n} पार्सल आपके विद्यालय के लिए रवाना`,
      `हमने कूरियर को सौंप दिया है (सत्र ${first.season}):\n\n${lines}`,
      `वे कहाँ हैं, यहाँ देखें, और वहीं पुष्टि करें कि कितनी प्रतियाँ पहुँचीं: ${trackPage}`,
    ],
    en: [
      n === 1
        ? `Parcel ${first.id} is on its way to your school`
        : `${n} parcels are on their way to your school`,
      `We have handed over to the courier (season ${first.season}):\n\n${lines}`,
      `Track ${n === 1 ? 'it' : 'them'} here, and confirm there how many copies have arrived: ${trackPage}`,
    ],
  })
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
    await enqueueMail(tx, now, {
      key: `packet:${first.id}:dispatched:${person.id}`,
      kind: 'packet-dispatched',
      to: { name: person.name, address: person.email },
      ...dispatchedMail(sender, languageOf(person), { name: person.name, first, parcels, trackPage }),
    })
  }
}
