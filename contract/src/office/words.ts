import type { WrittenLanguage } from '../languages.ts'
import en from './words.en.json' with { type: 'json' }
import hi from './words.hi.json' with { type: 'json' }

/** Names of the kinds of background jobs and e-mails: for the lists, their exports and their search. */

export type MailKind = keyof typeof en.mails

/** The outbox accepts no other kinds. */
export const mailWords: Record<WrittenLanguage, Readonly<Record<MailKind, string>>> = {
  en: en.mails,
  hi: hi.mails,
}

/** By kind, with `_` for its signs */
export const jobWords = { en: en.jobs, hi: hi.jobs }

/** Returns the keys whose name contains the text, in either language. */
function findKeys<Key extends string>(
  words: Record<WrittenLanguage, Readonly<Record<Key, string>>>,
  text: string,
) {
  const part = text.toLowerCase()
  return (Object.keys(words.en) as Key[]).filter((key) =>
    [words.en, words.hi].some((names) => names[key].toLowerCase().includes(part)),
  )
}

/** Returns the name of a kind of e-mail; the kind itself if it has none, because it is no longer sent. */
export function mailName(kind: string, language: WrittenLanguage = 'en'): string {
  return Object.hasOwn(mailWords.en, kind) ? mailWords[language][kind as MailKind] : kind
}

export const findMailKinds = (text: string): MailKind[] => findKeys(mailWords, text)

/** Returns the key of a kind of job among these words. */
export const jobKey = (kind: string): string => kind.replaceAll(/[.-]/g, '_')

/** Returns the English name of a kind of job; the kind itself if it has none. */
export function jobName(kind: string): string {
  const key = jobKey(kind)
  return Object.hasOwn(jobWords.en, key) ? jobWords.en[key as keyof typeof jobWords.en] : kind
}

export const findJobKeys = (text: string): string[] => findKeys(jobWords, text)
