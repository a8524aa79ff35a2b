import { className } from '@podium/contract/classes'
import type { WrittenLanguage } from '@podium/contract/languages'
import { hindiClassName } from '@podium/contract/students/rules-class'

/** Returns the language an account reads. */
export const languageOf = (person: { language: string }): WrittenLanguage =>
  person.language === 'hi' ? 'hi' : 'en'

/** Values by the names of a text's placeholders. */
export type Values = Readonly<Record<string, string | number>>

const placeholder = /\{([^{}]*)\}/g

/** Returns the names of a text's placeholders. */
export const findPlaceholders = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name]) => name ?? '')

/** Fills a text's placeholders; one without a value stays. */
export const fill = (text: string, values: Values): string =>
  text.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )

/** Returns a text by its key, filled with values. */
export type Translate<Key extends string> = (key: Key, values?: Values) => string

/** The words of a document by language, from `server/words/<language>/<name>.json`. */
export const defineWords =
  <Key extends string>(words: Readonly<Record<WrittenLanguage, Readonly<Record<Key, string>>>>) =>
  (language: WrittenLanguage): Translate<Key> =>
  (key, values = {}) =>
    fill(words[language][key], values)

/** Returns a class's name: `Class 7`, `LKG`. */
export const classNameIn = (language: WrittenLanguage, classId: number): string =>
  language === 'hi' ? hindiClassName(classId) : className(classId)
