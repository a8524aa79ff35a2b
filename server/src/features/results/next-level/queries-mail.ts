import { className } from '@podium/contract/classes'
import type { InvitationMail } from '@podium/contract/results/calls-next-level-office'
import { formatDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { mailTextOf } from '#features/office/mails/queries-texts'
import { mailSender } from '#features/office/settings/queries-foundation'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import type { Language, Written } from '#platform/mail/mail-templates'
import { letterOf, type MailTextKind } from '#platform/mail/mail-texts'
import { itsStudent } from './queries-status.ts'
import { childrenLines } from './rules.ts'

export const textKinds = {
  invitation: 'next-level-invitation',
  withdrawal: 'next-level-withdrawn',
  reminder: 'next-level-reminder',
} as const satisfies Record<InvitationMail, MailTextKind>

export interface SchoolLetter {
  schoolId: number
  schCode: string
  schName: string
  children: { className: string; section: string; roll: string }[]
}

export interface AboutRound {
  subject: string
  season: string
  level: number
  answerBy: string
  note: string
}

/** What the mails of a list say of it. */
export async function aboutRound(db: Db | Tx, eventId: number): Promise<AboutRound> {
  const { rows } = await sql<AboutRound>`
    select u.name as subject, d.season, d.level, d.answer_by as "answerBy", d.note from next_level_rounds d
      join events e on e.id = d.event_id join subjects u on u.letter = e.letter where d.event_id = ${eventId}`.execute(
    db,
  )
  return found(rows[0], 'next_level.no_list')
}

/** The schools of a list with those of their children that the condition on `i` names. */
export async function lettersFor(
  db: Db | Tx,
  eventId: number,
  where: RawBuilder<unknown>,
): Promise<SchoolLetter[]> {
  const { rows } = await sql<{
    schoolId: number
    schCode: string
    schName: string
    classId: number
    section: string
    roll: string
  }>`
    select i.school_id as "schoolId", o.code as "schCode", o.name as "schName", i.class_id as "classId", s.section,
      coalesce(s.exam_roll_no, '') as roll
    from next_level_invitations i join schools o on o.id = i.school_id ${itsStudent}
    where i.event_id = ${eventId} and ${where}
    order by o.name_key, o.id, i.class_id, s.section, s.roll_no, s.id`.execute(db)
  return [...Map.groupBy(rows, ({ schoolId }) => schoolId).values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const { schoolId, schCode, schName } = first
    const children = of.map(({ classId, section, roll }) => ({
      className: className(classId),
      section,
      roll,
    }))
    return [{ schoolId, schCode, schName, children }]
  })
}

export interface Reader {
  id: number
  name: string
  email: string
  language: string
  schoolId: number
}

/** Who of each school reads such a mail: its coordinator, or all its people where there is none. */
export async function readersOf(db: Db | Tx, schools: readonly number[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select u.id, u.name, u.email, u.language, u.school_id as "schoolId" from users u
    where u.school_id = any(${[...schools]}::bigint[]) and u.disabled_at is null
      and (u.coordinator or not exists (
        select from users c where c.school_id = u.school_id and c.coordinator and c.disabled_at is null))
    order by u.id`.execute(db)
  return rows
}

const more = { en: (n: number) => `and ${n} more`, hi: (n: number) => `और ${n}` }

/** The mail of one school in a language. */
export async function letterFor(
  db: Db | Tx,
  kind: InvitationMail,
  letter: SchoolLetter,
  about: AboutRound,
  to: { name: string; language: Language; link: string },
): Promise<Written> {
  const textKind = textKinds[kind]
  const values = {
    school: letter.schName,
    subject: about.subject,
    season: about.season,
    level: String(about.level),
    count: String(letter.children.length),
    children: childrenLines(letter.children, more[to.language]),
    day: formatDay(about.answerBy),
    note: about.note,
    link: to.link,
  }
  const text = await mailTextOf(db, textKind, to.language)
  return letterOf(await mailSender(db), to.language, to.name, text, values)
}

/** The mail that a school would get now in both languages; null where no school would get one. */
export async function previewMail(
  db: Db,
  _scope: OfficeScope,
  input: {
    eventId: number
    kind: InvitationMail
    schCode: string | undefined
    link: string
    where: RawBuilder<unknown>
  },
) {
  const { eventId, kind, schCode, link, where } = input
  const about = await aboutRound(db, eventId)
  const code = schCode?.trim().toUpperCase()
  const letters = await lettersFor(db, eventId, code ? sql`${where} and o.code = ${code}` : where)
  const [letter] = letters
  if (!letter) return null
  const readers = await readersOf(db, [letter.schoolId])
  const name = readers[0]?.name ?? letter.schName
  const written = async (language: Language) => {
    const { subject, text } = await letterFor(db, kind, letter, about, { name, language, link })
    return { subject, text }
  }
  return {
    schCode: letter.schCode,
    schName: letter.schName,
    children: letter.children.length,
    to: readers.map((one) => `${one.name} <${one.email}>`),
    en: await written('en'),
    hi: await written('hi'),
  }
}
