import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { notices } from '../server/src/features/privacy/requests/rules.ts'
import {
  englishWords,
  exportWords,
  findFaults,
  imported,
  languagesIn,
  readWords,
  type Words,
} from './words.ts'

const root = join(import.meta.dirname, '..')

test('every language has the same words with the same placeholders, and its own plural forms', () => {
  const languages = languagesIn(root)
  assert.deepEqual(languages, ['en', 'hi'])
  const english = englishWords(root)
  for (const language of languages.filter((name) => name !== 'en'))
    assert.deepEqual(findFaults(english, readWords(root, language), language), [])
})

test('a payment that is being verified is called the same on every page', () => {
  const english = englishWords(root)
  const hindi = readWords(root, 'hi')
  const names = [...english].flatMap(([file, words]) =>
    Object.entries(words).flatMap(([key, text]) =>
      text === 'Being verified' ? [hindi.get(file)?.[key]] : [],
    ),
  )
  assert.ok(names.length > 2)
  assert.deepEqual([...new Set(names)], ['जाँच जारी'])
})

test('a missing, unknown or wrong word, a lost placeholder and a missing plural form are each refused', () => {
  const english = new Map<string, Words>([
    [
      'fees',
      { title: 'Fees', paid: '{n} paid by {day}', count: { one: '{n} student', other: '{n} students' } },
    ],
  ])
  const faults = (words: Words, language = 'hi') => findFaults(english, new Map([['fees', words]]), language)
  const right = { title: 'T', paid: '{day}: {n}', count: { one: '{n}', other: '{n}' } }
  assert.deepEqual(faults(right), [])
  assert.deepEqual(faults({ ...right, more: 'M' }), ['hi/fees.json: more is not in English'])
  assert.deepEqual(faults({ paid: right.paid, count: right.count }), ['hi/fees.json: title is missing'])
  assert.deepEqual(faults({ ...right, paid: '{day}' }), ['hi/fees.json: paid lacks {n}'])
  assert.deepEqual(faults({ ...right, title: '{n}' }), ['hi/fees.json: title has {n}, which English has not'])
  assert.deepEqual(faults({ ...right, count: 'C' }), ['hi/fees.json: count has no forms of number'])
  assert.deepEqual(faults(right, 'ar'), [
    'ar/fees.json: count has the forms one, other, not few, many, one, other, two, zero',
  ])
  assert.equal(findFaults(english, new Map(), 'hi').length, 3)
})

test('a third language is exported to a translator and imported as a folder, which is refused whole on any error', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'words-'))
  try {
    const copied = ['accounts', 'students-entry', 'language'].map((name) => `web/words/en/${name}.json`)
    for (const file of [
      ...copied,
      'server/words/en/mail-texts.json',
      'server/words/en/mail-texts-office.json',
    ])
      cpSync(join(root, file), join(copy, file))
    const exportedFile = await exportWords(copy, 'ar')
    assert.ok(exportedFile.includes('<file original="students-entry"'))
    // An invented language: the English words backwards, with the placeholders unchanged.
    const backwards = (text: string) =>
      text
        .split(/(\{\w+\}|&\w+;)/)
        .map((part, index) => (index % 2 === 1 ? part : [...part].reverse().join('')))
        .join('')
    const translated = exportedFile.replace(
      /<source>([^<]*)<\/source>\s*<target><\/target>/g,
      (_, source: string) => `<source>${source}</source><target>${backwards(source)}</target>`,
    )
    const refused = async (text: string, fault: RegExp) => {
      assert.match((await imported(copy, 'ar', text)).join('\n'), fault)
      assert.equal(existsSync(join(copy, 'web/words/ar')), false)
    }
    await refused(exportedFile, /^ar\/accounts\.json: \w+ is missing/)
    await refused(translated.replace(/(<target>[^<]*)\{n\}/, '$1{m}'), /lacks \{n\}/)
    await refused(
      translated.replaceAll('target-language="ar"', 'target-language="hi"'),
      /of the language hi, not ar/,
    )
    await refused(translated.replace('<source>', '<source>Formerly: '), /was made of other English words/)
    await refused(
      translated.replace(/<trans-unit id="/, '<trans-unit id="strange'),
      /strange\w+ is not in English/,
    )
    assert.deepEqual(await imported(copy, 'ar', translated), [])
    assert.deepEqual(languagesIn(copy), ['ar', 'en'])
    assert.deepEqual(findFaults(englishWords(copy), readWords(copy, 'ar'), 'ar'), [])
    assert.deepEqual(readdirSync(join(copy, 'server/words/ar')), ['mail-texts.json'])
    // An export after an import gives the same file.
    assert.deepEqual(await imported(copy, 'ar', await exportWords(copy, 'ar')), [])
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/** The sections of docs/glossary.md by heading, each with its unwanted words. */
const losers = new Map(
  readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((part) => [
      part.slice(0, part.indexOf('\n')),
      part
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)])
        .map(([, word = '']) => word),
    ]),
)

const office =
  /office|^(audit-log|bank-|catalogue|exams-attendance|ledger$|ledger-list|payments-verification|privacy-incidents|privacy-requests$|results-(certificate|preview)|schools-(applications|import|letters|merge|register)|shipping$|staff|students-register)/
const ofTheServer = /^(mail-texts|refusals|messages|sentences|transport|record-\w+)$/

/** Returns the glossary sections that apply to a file of words. */
function partsFor(bundle: string): string[] {
  if (ofTheServer.test(bundle)) return ['Everywhere']
  if (office.test(bundle)) return ['Everywhere', 'Office']
  const both = ['Everywhere', 'Schools and families']
  return bundle.startsWith('famil') ? both : [...both, 'Schools']
}

/** Returns the pattern of an unwanted word: not inside a longer word, and `e-mail` does not match `mail`. */
function patternOf(word: string): RegExp {
  const inner = word.replace(/\*/g, '[\\p{L}\\p{M}]*').replaceAll(' … ', ' (?:[^\\s.]+ ){0,4}')
  return /^\p{P}/u.test(word)
    ? new RegExp(inner)
    : new RegExp(`(?<![\\p{L}\\p{M}{-])${inner}(?![\\p{L}\\p{M}-])`, 'iu')
}

const wordsIn = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Returns the unwanted words in a file, one line each. */
function unwantedIn(bundle: string, words: Words, parts: string[]): string[] {
  const patterns = parts.flatMap((part) =>
    (losers.get(part) ?? []).map((word) => ({ word, pattern: patternOf(word) })),
  )
  return Object.entries(words).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : Object.values(value)).flatMap((text) => [
      ...patterns.filter(({ pattern }) => pattern.test(text)).map(({ word }) => `${bundle}.${key}: ${word}`),
      ...(parts.includes('Hindi')
        ? []
        : text.split(/(?<=[.?!।]) |\n+/).filter((sentence) => wordsIn(sentence) > 20)
      ).map((sentence) => `${bundle}.${key}: ${wordsIn(sentence)} words in a sentence`),
    ]),
  )
}

/** The specification's quoted texts, and sentences that must be long for legal reasons or precision. */
const allowed = new Set<string>([
  'shell.logout',
  'shipping-tracking.packetId',
  'messages.enterEmail',
  'messages.familyEmailInvalid',
  'messages.socialCancelled',
  'messages.socialNotFound',
  'messages.socialNotReady',
  'refusals.dispatch.no_heads',
  // About a parent and a child
  'privacy-requests-school.fact',
])

test('no file of words contains a word against the glossary, or a sentence of more than twenty words', () => {
  const english = [...englishWords(root)].flatMap(([bundle, words]) =>
    unwantedIn(bundle, words, partsFor(bundle)),
  )
  const hindi = [...readWords(root, 'hi')].flatMap(([bundle, words]) => unwantedIn(bundle, words, ['Hindi']))
  const isAllowed = (line: string) => allowed.has(line.replace(/: .*/, ''))
  assert.equal([...english, ...hindi].filter((line) => !isAllowed(line)).join('\n'), '')
  const places = new Set([...english, ...hindi].map((line) => line.replace(/: .*/, '')))
  assert.deepEqual(
    [...allowed].filter((key) => !places.has(key)),
    [],
    'unneeded exemptions',
  )
})

test('the privacy notice follows the glossary too, though its lists may be longer', () => {
  const found = (['en', 'hi'] as const).flatMap((language) => {
    const { title, paragraphs } = notices[language]
    const parts = language === 'en' ? partsFor('families') : ['Hindi']
    return unwantedIn('notice', { title, all: paragraphs.join('\n') }, parts)
  })
  assert.deepEqual(
    found.filter((line) => !line.endsWith(' words in a sentence')),
    [],
  )
})

test("the words of a child's data are the same in both languages, follow the glossary and name changes as the log does", () => {
  const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
  const child = (language: string) =>
    read(`server/src/features/privacy/requests/words-child.${language}.json`)
  const [english, { actions, ...hindi }] = [child('en'), child('hi')]
  const keysOf = (words: object) =>
    Object.entries(words).flatMap(([key, part]) =>
      typeof part === 'string' ? [key] : Object.keys(part).map((inner) => `${key}.${inner}`),
    )
  assert.deepEqual(keysOf(hindi).sort(), keysOf(english).sort())
  const unwanted = (words: object, parts: string[]) =>
    Object.entries(words).flatMap(([key, value]) =>
      unwantedIn('child', typeof value === 'string' ? { [key]: value } : value, parts),
    )
  assert.deepEqual([...unwanted(hindi, ['Hindi']), ...unwanted(english, partsFor('families'))], [])
  const named = Object.keys(actions).map((key) => [key, readWords(root, 'hi').get('record-actions')?.[key]])
  assert.deepEqual(actions, Object.fromEntries(named))
})

test('the files of all lists name the columns of a school alike', () => {
  const names = {
    schCode: 'School code',
    schName: 'School',
    city: 'City',
    cityName: 'City',
    stateName: 'State',
  }
  const column = /title: '([^']+)'[^\n]*=> \w+(?:\.school\?)?\.(\w+) \}/g
  const found = globSync('server/src/features/**/*.ts', { cwd: join(import.meta.dirname, '..') }).flatMap(
    (file) =>
      [...readFileSync(join(import.meta.dirname, '..', file), 'utf8').matchAll(column)].map(
        ([, title = '', field = '']) => ({ file, title, name: names[field as keyof typeof names] ?? title }),
      ),
  )
  assert.ok(found.filter(({ name }) => name === 'School code').length > 15)
  assert.deepEqual(
    found.filter(({ title, name }) => title !== name),
    [],
  )
})

test('an unwanted word is found in each part of the glossary, and only as a whole word', () => {
  const found = (bundle: string, text: string) => unwantedIn(bundle, { key: text }, partsFor(bundle))
  assert.deepEqual(found('payments', 'We sent a mail, not an e-mail.'), ['payments.key: mail'])
  assert.deepEqual(found('payments', 'Colleagues see it'), ['payments.key: colleague*'])
  assert.deepEqual(found('payments', 'Take this request back? Your children'), [
    'payments.key: take … back',
    'payments.key: children',
  ])
  assert.deepEqual(found('families', 'Your children'), [])
  assert.deepEqual(found('bank-rules', 'The record of changes of “x”'), ['bank-rules.key: record of changes'])
  assert.deepEqual(found('refusals', 'Save the view «x»'), ['refusals.key: «', 'refusals.key: »'])
  assert.deepEqual(found('payments', `${'one '.repeat(21)}. ${'two '.repeat(20)}.`), [
    'payments.key: 21 words in a sentence',
  ])
  assert.deepEqual(unwantedIn('payments', { key: 'मेल भेजा, ई-मेल नहीं' }, ['Hindi']), ['payments.key: मेल'])
})
