import type { WrittenLanguage } from '@podium/contract/languages'
import en from '#words/en/mail-texts.json' with { type: 'json' }
import office from '#words/en/mail-texts-office.json' with { type: 'json' }
import hi from '#words/hi/mail-texts.json' with { type: 'json' }
import { fill, findPlaceholders, type Values } from '../words.ts'

/** The sender, from the foundation's settings. */
export interface Sender {
  foundation: string
  /** Used where space is short */
  shortName?: string
  supportPhone: string
  supportEmail?: string
  supportHours: Readonly<Record<WrittenLanguage, string>>
  /** Lines as on an envelope */
  postalAddress?: string
  website?: string
}

/** The address of a school's page in a season: without it, an e-mail about last season would open the current one. */
export const pageOfSeason = (page: string, season: string): string => `${page}?season=${season}`

/** A mail without its recipient: spread it into `enqueueMail`. */
export interface RenderedMail {
  subject: string
  text: string
}

/** A mail's subject and paragraphs, with placeholders in braces; greeting and closing are added. */
export interface MailText {
  subject: string
  body: string
}

const words: Readonly<Record<WrittenLanguage, typeof en>> = { en, hi }

type NamesOf<Words> = keyof {
  [Key in keyof Words as Key extends `${infer Name}.subject` ? Name : never]: true
}
/** The mails with a text in each language (server/words/…/mail-texts.json). */
export type MailName = NamesOf<typeof en>
/** The mails to the office's staff, which are in English (server/words/en/mail-texts-office.json). */
type OfficeMailName = NamesOf<typeof office>
type Word = Exclude<keyof typeof en, `${string}.${'subject' | 'body'}` | 'copies'>
type OfficeWord = Exclude<keyof typeof office, `${string}.${'subject' | 'body'}`>

/** Returns a word of the mails, such as the name of a fee, in the reader's language. */
export const mailWord = (language: WrittenLanguage, word: Word, values: Values = {}): string =>
  fill(words[language][word], values)

/** Returns a number of copies, in words. */
export const copiesIn = (language: WrittenLanguage, n: number): string =>
  fill(words[language].copies[n === 1 ? 'one' : 'other'], { n })

export const officeMailWord = (word: OfficeWord, values: Values = {}): string => fill(office[word], values)

/** Returns a mail's built-in text. */
export const mailTextIn = (language: WrittenLanguage, name: MailName): MailText => ({
  subject: words[language][`${name}.subject`],
  body: words[language][`${name}.body`],
})

const officeMailText = (name: OfficeMailName): MailText => ({
  subject: office[`${name}.subject`],
  body: office[`${name}.body`],
})

/** The end of a mail: help, greetings, and the sender's details. */
function closing(sender: Sender, language: WrittenLanguage): string {
  const { supportPhone: phone, supportEmail: email = '', supportHours } = sender
  const help = mailWord(language, email === '' ? 'help' : 'help-or-write', {
    phone,
    email,
    hours: supportHours[language],
  })
  const signature = [sender.foundation, sender.postalAddress, sender.website].filter(Boolean).join('\n')
  return `${help}\n\n${mailWord(language, 'regards')}\n${signature}`
}

/** A blank line ends a paragraph, unless the next line is indented: a reason or a link belongs to what introduces it. */
const betweenParagraphs = /\n[ \t]*\n(?![ \t])/

/**
 * Renders a mail from its text and values, in the standard form: greeting, paragraphs, closing. A paragraph whose values
 * are all empty is left out, such as that of a reason that was not given.
 */
export function renderMailText(
  sender: Sender,
  language: WrittenLanguage,
  name: string,
  text: MailText,
  values: Values,
): RenderedMail {
  const isEmpty = (paragraph: string) => {
    const given = findPlaceholders(paragraph).filter((name) => Object.hasOwn(values, name))
    return given.length > 0 && given.every((name) => values[name] === '')
  }
  const paragraphs = text.body
    .split(betweenParagraphs)
    .filter((paragraph) => !isEmpty(paragraph))
    .map((paragraph) => fill(paragraph, values).replace(/^\n+|\n+$/g, ''))
  const greeting =
    name === '' ? mailWord(language, 'greeting-anyone') : mailWord(language, 'greeting', { name })
  const parts = [greeting, ...paragraphs.filter((paragraph) => paragraph !== ''), closing(sender, language)]
  return { subject: fill(text.subject, values), text: `${parts.join('\n\n')}\n` }
}

/** Renders a built-in text, each of whose placeholders must have a value. */
function renderWhole(
  sender: Sender,
  language: WrittenLanguage,
  text: MailText,
  { name = '', ...values }: Values,
) {
  const missing = findPlaceholders(text.subject + text.body).filter((name) => !Object.hasOwn(values, name))
  if (missing.length > 0) throw new Error(`«${text.subject}» needs ${missing.join(', ')}`)
  return renderMailText(sender, language, String(name), text, values)
}

/** Renders a mail with its built-in text in the reader's language. `name`, of whom it greets, is one of the values. */
export const renderMail = (
  sender: Sender,
  language: WrittenLanguage,
  mail: MailName,
  values: Values = {},
): RenderedMail => renderWhole(sender, language, mailTextIn(language, mail), values)

/** Renders a mail to a member of the office's staff, followed by the paragraph `closing`, if any. */
export function renderOfficeMail(
  sender: Sender,
  mail: OfficeMailName,
  values: Values,
  closing?: OfficeWord,
): RenderedMail {
  const { subject, body } = officeMailText(mail)
  const whole = closing === undefined ? body : `${body}\n\n${office[closing]}`
  return renderWhole(sender, 'en', { subject, body: whole }, values)
}
