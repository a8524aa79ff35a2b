import { className } from '@podium/contract/classes'
import type { IncidentWords } from '@podium/contract/incidents'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import { found } from '#platform/errors'
import type { Language, Written } from '#platform/mail-templates'
import { letterOf } from '#platform/mail-texts'
import type { OfficeScope } from '#platform/scope'
import { mailSender } from '../foundation/queries.ts'
import { mailTextOf } from '../mails/queries-texts.ts'
import { childrenLines } from '../next-level/rules.ts'
import { momentText } from './rules.ts'

/** Those affected `p` that have an e-mail: children `st` by their family's, people `u` of schools by their own. */
export const toldByMail = sql`
  (select q.*, lower(coalesce(v.email, c.parent_email)) as address from incident_people q
    left join students c on c.id = q.student_id left join users v on v.id = q.user_id
    where coalesce(v.email, c.parent_email, '') <> '') p`

export interface Recipient {
  /** The row of the first of them, which names the mail */
  personId: number
  people: number[]
  kind: 'family' | 'person'
  address: string
  name: string
  /** '' where a family has never said it: the mail is in both */
  language: string
  children: { classId: number; section: string; rollNo: number; school: string }[]
}

interface Row {
  id: number
  student_id: number | null
  address: string
  name: string
  language: string
  classId: number | null
  section: string | null
  rollNo: number | null
  school: string
}

/**
 * Those who wait and come after a row, by their address: a family with several children gets one mail about all of
 * them. `most` rows at the beginning, with the siblings of these.
 */
export async function nextRecipients(
  db: Db | Tx,
  incidentId: number,
  after: number,
  most: number,
): Promise<{ recipients: Recipient[]; last: number }> {
  const first = await sql<{ id: number }>`
    select p.id from ${toldByMail} where p.incident_id = ${incidentId} and p.told_at is null and p.id > ${after}
    order by p.id limit ${most}`.execute(db)
  const ids = first.rows.map(({ id }) => id)
  const { rows } = await sql<Row>`
    select p.id, p.student_id, p.address, coalesce(u.name, '') as name, st.class_id as "classId", st.section,
      st.roll_no as "rollNo", coalesce(o.name, '') as school,
      coalesce(u.language, (select c.language from consents c where c.student_id = st.id order by c.id desc limit 1), '') as language
    from ${toldByMail} left join students st on st.id = p.student_id left join users u on u.id = p.user_id
      left join schools o on o.id = coalesce(st.school_id, u.school_id)
    where p.incident_id = ${incidentId} and p.told_at is null and (p.id = any(${ids}::bigint[])
      or (p.student_id is not null and p.address in (
        select p.address from ${toldByMail} where p.id = any(${ids}::bigint[]) and p.student_id is not null)))
    order by p.id`.execute(db)
  const groups = Map.groupBy(rows, (row) =>
    row.student_id === null ? `person ${row.id}` : `family ${row.address}`,
  )
  const recipients = [...groups.values()].flatMap((of) => recipientOf(of) ?? [])
  return { recipients, last: ids.at(-1) ?? after }
}

function recipientOf(of: readonly Row[]): Recipient | undefined {
  const [one] = of
  if (!one) return undefined
  return {
    personId: one.id,
    people: of.map(({ id }) => id),
    kind: one.student_id === null ? 'person' : 'family',
    address: one.address,
    name: one.name,
    language: of.find(({ language }) => language !== '')?.language ?? '',
    children: of.flatMap(({ classId, section, rollNo, school }) =>
      classId === null ? [] : [{ classId, section: section ?? '', rollNo: rollNo ?? 0, school }],
    ),
  }
}

export interface About {
  /** Empty until they are written */
  words: { en?: IncidentWords; hi?: IncidentWords }
  foundAt: Date
  beganAt: Date | null
  drill: boolean
}

/** What the mails of a breach say. */
export async function aboutIncident(db: Db | Tx, id: number): Promise<About> {
  const { rows } = await sql<About>`
    select words, found_at as "foundAt", began_at as "beganAt", drill from incidents where id = ${id}`.execute(
    db,
  )
  return found(rows[0])
}

const emptyWords: IncidentWords = { what: '', consequences: '', measures: '', safety: '', contact: '' }

const more = { en: (n: number) => `and ${n} more`, hi: (n: number) => `और ${n}` }
const drill = { en: 'This is a drill. Nothing has happened.', hi: 'यह अभ्यास है। कुछ हुआ नहीं है।' }

/** The mail of one recipient in a language; children by class, section and roll number, never by name. */
async function letterIn(db: Db | Tx, to: Recipient, about: About, language: Language): Promise<Written> {
  const words = about.words[language] ?? emptyWords
  const children = to.children.map(({ classId, section, rollNo, school }) => ({
    className: className(classId),
    section,
    roll: `${rollNo}, ${school}`,
  }))
  const when = [about.beganAt, about.foundAt].filter((at) => at !== null).map(momentText)
  const kind = to.kind === 'family' ? 'incident-family' : 'incident-person'
  const text = await mailTextOf(db, kind, language)
  const values = {
    ...words,
    what: about.drill ? `${drill[language]}\n\n${words.what}` : words.what,
    when: when.join(' – '),
    children: childrenLines(children, more[language]),
  }
  return letterOf(await mailSender(db), language, to.name, text, values)
}

/** The mail of one recipient; one after the other in both languages for a family that has never said which it reads. */
export async function letterTo(db: Db | Tx, to: Recipient, about: About): Promise<Written> {
  if (to.language === 'hi' || to.language === 'en') return letterIn(db, to, about, to.language)
  const [en, hi] = [await letterIn(db, to, about, 'en'), await letterIn(db, to, about, 'hi')]
  return { subject: `${en.subject} / ${hi.subject}`, text: `${en.text}\n* * *\n\n${hi.text}` }
}

/** What the first family and the first person of a school who wait would read, in both languages. */
export async function previewMails(db: Db, _scope: OfficeScope, incidentId: number) {
  const about = await aboutIncident(db, incidentId)
  const { rows } = await sql<{ id: number; family: boolean }>`
    select min(p.id) as id, p.student_id is not null as family from ${toldByMail}
    where p.incident_id = ${incidentId} and p.told_at is null group by 2 order by 2 desc`.execute(db)
  const mails = []
  for (const { id } of rows) {
    const { recipients } = await nextRecipients(db, incidentId, id - 1, 1)
    const to = recipients.find(({ people }) => people.includes(id))
    if (!to) continue
    const [en, hi] = [await letterIn(db, to, about, 'en'), await letterIn(db, to, about, 'hi')]
    mails.push({ kind: to.kind, en, hi })
  }
  return mails
}
