import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import actions from '@podium/contract/audit-log/words-actions.en.json' with { type: 'json' }
import fields from '@podium/contract/audit-log/words-fields.en.json' with { type: 'json' }
import kinds from '@podium/contract/audit-log/words-kinds.en.json' with { type: 'json' }
import values from '@podium/contract/audit-log/words-values.en.json' with { type: 'json' }
import xliff from 'xliff'
import english from '../web/src/shell/language/english.ts'
import refusals from '../web/src/shell/language/english-refusals.ts'

/**
 * Exports texts for a translator and imports the result: `npm run words -- export LANG FILE | import LANG FILE |
 * check`, in XLIFF 1.2. LANG is the name of a folder in web/words, and of one in server/words for the e-mails (docs/web.md).
 */

const folders = ['web/words', 'server/words']

/** E-mails to the office's staff are only in English. */
const onlyEnglish = 'mail-texts-office'

/** A sentence, or its plural forms in the language: `one`, `other`, … */
export type Words = Record<string, string | Record<string, string>>

/** Reads a language's words by file name: `students` is `web/words/…/students.json`. `root` is the repository. */
export function readWords(root: string, language: string): Map<string, Words> {
  const files = folders.flatMap((folder) => globSync(`${folder}/${language}/*.json`, { cwd: root }).sort())
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(root, file), 'utf8'))]),
  )
}

/** The codes of the activity log, which the server writes to files. */
const recordWords = {
  'record-actions': actions,
  'record-fields': fields,
  'record-kinds': kinds,
  'record-values': values,
}

const { messages, sentences, transport } = english

/** Returns the English words to translate: the server's sentences come from the contract, the rest from the folders. */
export const englishWords = (root: string): Map<string, Words> =>
  new Map([
    ...[...readWords(root, 'en')].filter(([name]) => name !== onlyEnglish),
    ...Object.entries({ messages, sentences, transport, refusals, ...recordWords }),
  ])

/** Returns the languages that have words. */
export const languagesIn = (root: string): string[] =>
  readdirSync(join(root, 'web/words')).filter((name) =>
    existsSync(join(root, 'web/words', name, 'language.json')),
  )

const placeholdersOf = (sentence: string): string[] =>
  [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort()

const formsOf = (language: string) => new Intl.PluralRules(language).resolvedOptions().pluralCategories

/** Returns what is wrong with a language's entry compared with the English one. */
function faultOf(
  language: string,
  english: Words[string] | undefined,
  translation: Words[string] | undefined,
) {
  if (translation === undefined) return 'is missing'
  if (english === undefined) return 'is not in English'
  if (typeof english === 'string') {
    if (typeof translation !== 'string') return 'has forms of number, and none in English'
    return placesFault(placeholdersOf(english), placeholdersOf(translation))
  }
  if (typeof translation === 'string') return 'has no forms of number'
  const expected = formsOf(language).sort().join(', ')
  const actual = Object.keys(translation).sort().join(', ')
  if (actual !== expected) return `has the forms ${actual}, not ${expected}`
  // The singular form may omit the number.
  const all = placeholdersOf(Object.values(english).join(' '))
  const strange = placesFault(
    [],
    placeholdersOf(Object.values(translation).join(' ')).filter((name) => !all.includes(name)),
  )
  return strange ?? placesFault(all, placeholdersOf(translation.other ?? ''))
}

function placesFault(expected: string[], actual: string[]): string | undefined {
  const missing = expected.filter((name) => !actual.includes(name))
  const strange = actual.filter((name) => !expected.includes(name))
  if (missing.length > 0) return `lacks {${missing.join('}, {')}}`
  return strange.length > 0 ? `has {${strange.join('}, {')}}, which English has not` : undefined
}

/**
 * Returns what is wrong with a language's words, one line each: keys, placeholders and plural forms must match the
 * English ones.
 */
export function findFaults(
  english: Map<string, Words>,
  translations: Map<string, Words>,
  language: string,
): string[] {
  const names = [...new Set([...english.keys(), ...translations.keys()])].sort()
  return names.flatMap((name) => {
    const ofEnglish = english.get(name) ?? {}
    const ofOwn = translations.get(name) ?? {}
    const keys = [...new Set([...Object.keys(ofEnglish), ...Object.keys(ofOwn)])]
    return keys.flatMap((key) => {
      const fault = faultOf(language, ofEnglish[key], ofOwn[key])
      return fault ? [`${language}/${name}.json: ${key} ${fault}`] : []
    })
  })
}

interface Unit {
  source: string
  target?: string
  note?: string
}

/** Returns each sentence, or each plural form in the language, with its translation so far. */
function unitsOf(english: Words, translations: Words, language: string): Record<string, Unit> {
  const unit = (source: string, target: unknown): Unit => ({
    source,
    target: typeof target === 'string' ? target : '',
    ...(placeholdersOf(source).length > 0 && {
      note: `${placeholdersOf(source).map((name) => `{${name}}`)} stay as they are`,
    }),
  })
  const units = Object.entries(english).flatMap(([key, words]): [string, Unit][] => {
    const translation = translations[key]
    if (typeof words === 'string') return [[key, unit(words, translation)]]
    return formsOf(language).map((form) => [
      `${key}.${form}`,
      unit(words[form] ?? words.other ?? '', typeof translation === 'object' ? translation[form] : ''),
    ])
  })
  return Object.fromEntries(units)
}

/** Returns a language's words beside the English ones, as XLIFF. */
export function exportWords(root: string, language: string): Promise<string> {
  const translations = readWords(root, language)
  const resources = [...englishWords(root)].map(([name, english]) => [
    name,
    unitsOf(english, translations.get(name) ?? {}, language),
  ])
  return xliff.jsToXliff12({
    resources: Object.fromEntries(resources),
    sourceLanguage: 'en',
    targetLanguage: language,
  })
}

/** Rebuilds words from their units; a unit without a translation is left out. */
function wordsFrom(english: Words, units: Record<string, Unit>): Words {
  const words: Words = {}
  for (const [id, { target = '' }] of Object.entries(units)) {
    if (target === '') continue
    const [, key = '', form = ''] = /^(.*)\.(\w+)$/.exec(id) ?? []
    const forms = words[key]
    if (typeof english[key] !== 'object' || id in english) words[id] = target
    else words[key] = { ...(typeof forms === 'object' && forms), [form]: target }
  }
  return words
}

/**
 * Writes the words of an XLIFF file to the folders of its language. If there are errors, returns them, one line each,
 * and writes nothing.
 */
export async function imported(root: string, language: string, file: string): Promise<string[]> {
  const { resources, targetLanguage } = await xliff.xliff12ToJs(file)
  if (targetLanguage !== language) return [`the file is of the language ${targetLanguage}, not ${language}`]
  const english = englishWords(root)
  const stale = [...english].flatMap(([name, words]) =>
    Object.entries(unitsOf(words, {}, language)).flatMap(([id, { source }]) => {
      const imported = resources[name]?.[id]
      return imported && imported.source !== source
        ? [`${language}/${name}.json: ${id} was made of other English words, «${imported.source}»`]
        : []
    }),
  )
  const translations = new Map(
    Object.entries(resources).map(([name, units]) => [name, wordsFrom(english.get(name) ?? {}, units)]),
  )
  const faults = [...stale, ...findFaults(english, translations, language)]
  if (faults.length > 0) return faults
  for (const folder of folders) mkdirSync(join(root, folder, language), { recursive: true })
  for (const [name, words] of translations) {
    const folder = existsSync(join(root, 'server/words/en', `${name}.json`)) ? 'server/words' : 'web/words'
    writeFileSync(join(root, folder, language, `${name}.json`), `${JSON.stringify(words, null, 2)}\n`)
  }
  return []
}

/** Returns 0 if done, 1 after printing a line for each error, 2 for an unknown command. */
async function main([command, language = '', path = '']: string[]): Promise<number> {
  const root = join(import.meta.dirname, '..')
  const valid = /^[a-z]{2,3}$/.test(language) && language !== 'en' && path !== ''
  if (command === 'export' && valid) {
    writeFileSync(path, await exportWords(root, language))
    return 0
  }
  if (command === 'import' && valid)
    return printFaults(await imported(root, language, readFileSync(path, 'utf8')))
  if (command === 'check') {
    const english = englishWords(root)
    const languages = languagesIn(root).filter((name) => name !== 'en')
    return printFaults(languages.flatMap((name) => findFaults(english, readWords(root, name), name)))
  }
  console.error('usage: npm run words -- export LANG FILE | import LANG FILE | check')
  return 2
}

function printFaults(faults: string[]): number {
  for (const fault of faults) console.error(fault)
  return faults.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
