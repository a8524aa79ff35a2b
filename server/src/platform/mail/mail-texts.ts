import type { WrittenLanguage } from '@podium/contract/languages'
import { firstRow } from '#platform/db/rows'
import type { Db, Tx } from '../db/database.ts'
import { mailSender } from '../foundation.ts'
import { enqueueMail, type Mail } from '../jobs/outbox.ts'
import { languageOf, type Values } from '../words.ts'
import { type MailName, type MailText, mailTextIn, renderMail, renderMailText } from './mail-templates.ts'

interface Kind {
  /** The allowed placeholders, with sample values for a preview */
  placeholders: Readonly<Record<string, string>>
  /** The placeholders without which the mail would be useless */
  needed: readonly string[]
}

const school = 'Kalpanik Public School'
const signIn = 'https://podium.example/login'

const reminder = {
  placeholders: { school, season: '2026-27', day: '15-Dec-2026', amount: '₹0', link: signIn },
  needed: ['link'],
}

const nextLevel = {
  school,
  subject: 'Mathematics',
  season: '2026-27',
  level: '2',
  count: '2',
  children: '    Class 6 A, KPS0102-06-004\n    Class 7 B, KPS0102-07-011',
  day: '10-Feb-2027',
  note: 'The exam is held in Bengaluru on 07-Mar-2027.',
  link: 'https://podium.example/result/nextlevel',
}

/** The mails whose texts the office can edit. */
export const mailTexts = {
  'application-received': { placeholders: { school }, needed: [] },
  'application-approved': { placeholders: { school, code: 'KPS0102', link: signIn }, needed: ['link'] },
  'application-asked': {
    placeholders: {
      school,
      question: 'Please send us the UDISE code.',
      link: 'https://podium.example/school-detail',
    },
    needed: ['question', 'link'],
  },
  'application-rejected': {
    placeholders: { school, reason: 'The UDISE code belongs to another school.', link: signIn },
    needed: ['reason', 'link'],
  },
  'reminder-enrol': reminder,
  'reminder-pay': { ...reminder, placeholders: { ...reminder.placeholders, amount: '₹1,24,500' } },
  'reminder-dates': reminder,
  'next-level-invitation': { placeholders: nextLevel, needed: ['children', 'day', 'link'] },
  'next-level-withdrawn': { placeholders: nextLevel, needed: ['children'] },
  'next-level-reminder': { placeholders: nextLevel, needed: ['day', 'link'] },
} as const satisfies Partial<Record<MailName, Kind>>

export type MailTextKind = keyof typeof mailTexts

/** Returns the kind with this name; undefined if the office can't edit such a mail. */
export function mailTextKind(name: string): MailTextKind | undefined {
  return Object.hasOwn(mailTexts, name) ? (name as MailTextKind) : undefined
}

export const mailTextDefinition = (kind: MailTextKind): Kind => mailTexts[kind]

/** Returns a mail's text: the office's if it has edited it, or else the built-in one. */
export async function mailTextOf(
  db: Db | Tx,
  kind: MailTextKind,
  language: WrittenLanguage,
): Promise<MailText> {
  const edited = await firstRow(db, 'mail_texts', { kind, language }, ['subject', 'body'])
  return edited ?? mailTextIn(language, kind)
}

interface Reader {
  /** '' if it is not known */
  name: string
  email: string
  language: string
}

interface ReaderMail extends Omit<Mail, 'to' | 'subject' | 'text'> {
  mail: MailName
  /** The values of the text's placeholders, except for the reader's `name` */
  values: Values
}

/**
 * E-mails each of these people in their language, with the office's text if it has edited that mail. `mailFor` returns
 * what a person is sent, or undefined for none.
 */
export async function mailPeople<P extends Reader>(
  tx: Tx,
  now: Date,
  people: readonly P[],
  mailFor: (person: P, language: WrittenLanguage) => Promise<ReaderMail | undefined> | ReaderMail | undefined,
): Promise<void> {
  if (people.length === 0) return
  const sender = await mailSender(tx)
  for (const person of people) {
    const language = languageOf(person)
    const found = await mailFor(person, language)
    if (!found) continue
    const { mail, values, ...rest } = found
    const { name, email: address } = person
    const kind = mailTextKind(mail)
    const rendered = kind
      ? renderMailText(sender, language, name, await mailTextOf(tx, kind, language), values)
      : renderMail(sender, language, mail, { name, ...values })
    await enqueueMail(tx, now, { ...rest, to: { name, address }, ...rendered })
  }
}

/** E-mails one person in their language, as `mailPeople`. */
export const mailPerson = (tx: Tx, now: Date, person: Reader, mail: ReaderMail) =>
  mailPeople(tx, now, [person], () => mail)
