import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceClassNames } from '@podium/contract/classes'
import { errors } from '@podium/contract/errors'
import { formatSentence, type SentenceKey, sentences } from '@podium/contract/sentences'
import { rollTakenMessage, rollTwiceMessage } from '@podium/contract/students/rules-row'
import { parseAst } from 'rolldown/parseAst'
import { transportDetails } from '../transport-words.ts'
import { countryName } from './country.ts'
import inEnglish from './english.ts'
import refusals from './english-refusals.ts'
import { buildLookup, type Names, type ServerWords } from './lookup.ts'
import { ordinal } from './ordinal.ts'

const hindiOf = (part: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../words/hi', `${part}.json`), 'utf8'))
const hindi: ServerWords = {
  refusals: hindiOf('refusals'),
  messages: hindiOf('messages'),
  sentences: hindiOf('sentences'),
  transport: hindiOf('transport'),
}
const english: ServerWords = { ...inEnglish, refusals }
const lookupWith = (names: Names) => buildLookup(english, hindi, names)
const lookup = lookupWith({})
const place = { classId: 7, section: 'A', rollno: 4 }

const keys = (words: object) => Object.keys(words).sort()

test('every sentence the contract quotes has a Hindi version [spec 8.17]', () => {
  assert.deepEqual(keys(hindi.messages), keys(english.messages))
})

test('every reason for a refusal has a Hindi version [spec 8.17]', () => {
  assert.deepEqual(keys(hindi.refusals), keys(english.refusals))
})

test('a sentence with a detail is translated up to the detail, and an unknown one stays as it is [spec 8.17]', () => {
  assert.equal(lookup('Error: 418'), 'गड़बड़ी: 418')
  assert.match(lookup(`Error: ${transportDetails.offline}`), /^गड़बड़ी: कनेक्शन/)
  assert.equal(lookup('Asha'), 'Asha')
})

test('a name the office gave in Hindi is shown alone, in a list and in a sentence; other names stay', () => {
  const named = lookupWith({ Mathematics: 'गणित', Science: 'विज्ञान' })
  assert.equal(named('Mathematics'), 'गणित')
  assert.equal(named('Mathematics, Science'), 'गणित, विज्ञान')
  assert.equal(named('Mathematics, Sanskrit'), 'Mathematics, Sanskrit')
  assert.match(named(formatSentence('listSignedOff', { subject: 'Science' })), /^विज्ञान /)
})

test('a class is shown in Hindi with its section, alone and in a sentence; another word with a letter stays', () => {
  const named = lookupWith({ 'Class 7': 'कक्षा 7', Nursery: 'नर्सरी' })
  assert.deepEqual(['Nursery', 'Class 7 A', 'Nursery B', 'Asha B'].map(named), [
    'नर्सरी',
    'कक्षा 7 A',
    'नर्सरी B',
    'Asha B',
  ])
  assert.match(named(rollTakenMessage(place, 'Om')), /^कक्षा 7 A का /)
})

test('the classes within a short text are shown in Hindi, and its other words stay', () => {
  const named = lookupWith({ 'Class 1': 'कक्षा 1', 'Class 11': 'कक्षा 11', Nursery: 'नर्सरी', UKG: 'यूकेजी' })
  assert.deepEqual(
    ['Class 11 B, 2025-26', 'Nursery–UKG, 1–5', 'Asha'].map((text) => replaceClassNames(text, named)),
    ['कक्षा 11 B, 2025-26', 'नर्सरी–यूकेजी, 1–5', 'Asha'],
  )
})

test('a sentence with names and figures is recognised by its words, and its Hindi keeps every one of them', () => {
  for (const [key, english] of Object.entries(sentences)) {
    const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    const values = Object.fromEntries(names.map((name, index) => [name, `Namuna ${index + 7}`]))
    const filled = formatSentence(key as SentenceKey, values as never)
    const own = lookup(filled)
    assert.match(own, /[\u0900-\u097f]/, key)
    for (const value of Object.values(values)) assert.ok(own.includes(value), `${key}: ${own}`)
    assert.equal(/[{}]/.test(own), false, key)
  }
  assert.equal(lookup('At most 50 characters.'), 'अधिक से अधिक 50 अक्षर।')
  assert.equal(
    lookup(formatSentence('rollTakenByNow', { roll: 4, place: 'Class 7 A', name: sentences.anotherStudent })),
    'Class 7 A का रोल नं 4 अब किसी दूसरे विद्यार्थी का है।',
  )
  const internal = formatSentence('withReference', { sentence: errors.internal.sentence, id: 'req-1' })
  assert.equal(lookup(internal), `${hindi.refusals.internal} संदर्भ: req-1`)
})

test('the sentences of the row check have a Hindi version that keeps names and figures', () => {
  assert.equal(lookup(rollTwiceMessage(place, 3)), 'Class 7 A में रोल नं 4 पंक्ति 3 में पहले से है।')
  assert.equal(lookup(rollTakenMessage(place, 'Om')), 'Class 7 A का रोल नं 4 Om का है।')
})

// Must be the first test about countries: the browser is asked for its names once.
test('a country named differently by the browser in English still gets its Hindi name', (on) => {
  const { of } = Intl.DisplayNames.prototype
  on.mock.method(Intl.DisplayNames.prototype, 'of', function (this: Intl.DisplayNames, code: string) {
    const inEnglish = this.resolvedOptions().locale === 'en'
    return inEnglish && code === 'HK' ? 'Hong Kong' : of.call(this, code)
  })
  assert.match(countryName('hi', 'Hong Kong SAR China'), /^हाँग काँग/)
})

test('a country is named in Hindi, and an unknown one as it is', () => {
  assert.equal(countryName('hi', 'India'), 'भारत')
  assert.equal(countryName('hi', 'Nepal'), 'नेपाल')
  assert.equal(countryName('hi', 'Atlantis'), 'Atlantis')
  assert.equal(countryName('en', 'Nepal'), 'Nepal')
})

test('ordinals have their endings in English, including the teens, and are figures in Hindi', () => {
  const read = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1123].map((n) => ordinal(n, 'en'))
  assert.deepEqual(read, '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 1,123rd'.split(' '))
  assert.equal(ordinal(2, 'hi'), '2')
})

/** Every text people read is in a word file in both languages, or in the contract; none is in a component. */

const source = join(import.meta.dirname, '../..')

/** Attributes whose text is visible or spoken. */
const spoken = /^(aria-label|aria-description|title|label|placeholder|alt|hint|empty|fact|caption|action)$/

/** Names that are the same in every language, names of keys, and the choice of language, which is in both. */
const names =
  /\b(?:Podium|Google|Facebook|WhatsApp|UPI|IFSC|UTR|CSV|Excel|(?:(?:Alt|Shift)\+)+\w+)\b|Language \/ भाषा/g

const wordsIn = (text: string) => /\p{L}{2,}/u.test(text.replaceAll(names, ''))

interface Node {
  type: string
  [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function textOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value
  return value.type === 'JSXExpressionContainer' ? textOf(value.expression) : ''
}

/** Returns the text a node itself shows. */
function shown(node: Node): string {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type === 'JSXAttribute' && isNode(node.name) && spoken.test(String(node.name.name)))
    return textOf(node.value)
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as unknown[])
      .filter((child) => isNode(child) && child.type !== 'JSXText')
      .map(textOf)
      .join('')
  const callee = node.type === 'CallExpression' && isNode(node.callee) ? node.callee : undefined
  const object = isNode(callee?.object) ? callee.object.name : undefined
  return object === 'toast' ? textOf((node.arguments as unknown[])[0]) : ''
}

function collect(of: unknown, into: string[]): string[] {
  if (Array.isArray(of)) for (const item of of) collect(item, into)
  else if (isNode(of)) {
    into.push(shown(of))
    for (const key in of) if (typeof of[key] === 'object') collect(of[key], into)
  }
  return into
}

/** Returns the texts the components of a file contain. */
function written(code: string): string[] {
  return collect(parseAst(code, { lang: 'tsx' }), []).filter(wordsIn)
}

test('no screen has words outside the word lists [spec 8.17]', () => {
  const files = globSync('{features,pages,shell,ui}/**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !/\.test\.|words[\w-]*\.(en|hi)\.ts$/.test(file),
  )
  assert.ok(files.length > 200)
  const found = files.flatMap((file) =>
    written(readFileSync(join(source, file), 'utf8')).map((text) => `${file}: ${text.trim()}`),
  )
  assert.deepEqual(found, [])
})

test('words in a text, an attribute, an expression or a toast are detected', () => {
  for (const code of [
    'const a = <p>Hello</p>',
    'const a = <input placeholder="Name" />',
    "const a = <b>{'Hello'}</b>",
    "toast.error('Not saved')",
  ]) {
    assert.equal(written(code).length, 1, code)
  }
  assert.deepEqual(written("const a = <p className='two'>{t('hello')}, {n} × {m}</p>"), [])
})

/** Returns the keys that an argument may be: a literal, or either side of a condition. */
function keysOf(argument: unknown): string[] {
  if (!isNode(argument)) return []
  if (argument.type === 'ConditionalExpression')
    return [...keysOf(argument.consequent), ...keysOf(argument.alternate)]
  return argument.type === 'Literal' ? [String(argument.value)] : []
}

/** Returns the names of the values given, none without the argument; undefined if they cannot be read in the code. */
function namesGiven(argument: unknown): string[] | undefined {
  if (argument === undefined) return []
  if (!isNode(argument) || argument.type !== 'ObjectExpression') return undefined
  const properties = argument.properties as Node[]
  const given = properties.flatMap(({ key }) => (isNode(key) ? [String(key.name)] : []))
  return given.length === properties.length ? given : undefined
}

type Catalogues = Record<string, Record<string, string | Record<string, string>>>

const placesOf = (sentence: string | Record<string, string>): string[] =>
  [...JSON.stringify(sentence).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** What the code calls a function that translates. */
const translator = /^t$|^t[A-Z]|T$/

/** Returns the calls of a translator that give no value for a place of their sentence: people would read `{name}`. */
function unfilled(code: string, catalogues: Catalogues): string[] {
  const own = [...code.matchAll(/#words\/en\/([\w-]+)\.json/g)].map(([, name]) => name ?? '')
  const found: string[] = []
  const check = (key: string, given: readonly string[]) => {
    const sentences = own.map((name) => catalogues[name]?.[key]).filter((sentence) => sentence !== undefined)
    const lacks = sentences.map((sentence) => placesOf(sentence).filter((place) => !given.includes(place)))
    // Two catalogues of a file may share a key.
    if (lacks.length > 0 && lacks.every((places) => places.length > 0)) found.push(`${key} lacks ${lacks[0]}`)
  }
  const visit = (of: unknown): void => {
    if (Array.isArray(of)) for (const item of of) visit(item)
    if (!isNode(of)) return
    if (of.type === 'CallExpression' && isNode(of.callee) && translator.test(String(of.callee.name))) {
      const [key, values] = of.arguments as unknown[]
      const given = namesGiven(values)
      if (given) for (const name of keysOf(key)) check(name, given)
    }
    for (const key in of) if (typeof of[key] === 'object') visit(of[key])
  }
  visit(parseAst(code, { lang: 'tsx' }))
  return found
}

test('every sentence gets a value for each of its places', () => {
  const words = join(source, '../words/en')
  const catalogues: Catalogues = Object.fromEntries(
    globSync('*.json', { cwd: words }).map((name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(words, name), 'utf8')),
    ]),
  )
  const files = globSync('{features,pages,shell,ui}/**/*.{ts,tsx}', { cwd: source })
  const found = files.flatMap((file) =>
    unfilled(readFileSync(join(source, file), 'utf8'), catalogues).map((fault) => `${file}: ${fault}`),
  )
  assert.deepEqual(found, [])
})

test('a value under another name, or none, is detected', () => {
  const catalogues = { fees: { paid: '{n} paid by {day}', title: 'Fees' } }
  const faults = (call: string) => unfilled(`import type en from '#words/en/fees.json'\n${call}`, catalogues)
  assert.deepEqual(faults("t(late ? 'title' : 'paid', { n, date: day })"), ['paid lacks day'])
  assert.deepEqual(faults("t('paid')"), ['paid lacks n,day'])
  assert.deepEqual(faults("t('paid', { n, day })"), [])
  assert.deepEqual(faults("t('paid', { n, ...rest })"), [])
})

test('an English sentence used by two keys has one Hindi version', () => {
  const own = new Map<string, string>()
  for (const part of ['messages', 'refusals', 'sentences', 'transport'] as const)
    for (const [key, sentence] of Object.entries(english[part])) {
      const before = own.get(sentence)
      own.set(sentence, hindi[part][key] ?? '')
      assert.ok(
        before === undefined || before === hindi[part][key],
        `${sentence}: ${before}, ${hindi[part][key]}`,
      )
    }
})

/** Refusals of the contract that no screen can cause, only a program. */
const onlyOfPrograms = new Set([
  'Amount is required.',
  'At most 20000 students.',
  'At most 30 filters.',
  'Exam level is 1 or 2.',
  'Mode must be 3.',
  'Please choose at least one class.',
  'Please type a name or a roll no.',
  'Say which.',
  'Search is required.',
  'Students are required.',
  'This link is not complete.',
])

/** Returns the refusals that code quotes itself: all its sentences, or only those with a `message` to a field. */
function quotedIn(code: string, all: boolean): string[] {
  const found: string[] = []
  const quote = ({ type, value }: Node) => {
    if (type === 'TemplateLiteral') found.push('a template')
    if (type === 'Literal' && /^\p{Lu}.* .*\.$/su.test(String(value))) found.push(String(value))
  }
  const visit = (of: unknown): void => {
    if (Array.isArray(of)) for (const item of of) visit(item)
    if (!isNode(of)) return
    const name = of.type === 'Property' && isNode(of.key) ? of.key.name : undefined
    if (name === 'summary') return
    if (name === 'message' && isNode(of.value)) quote(of.value)
    else if (all && of.type === 'Literal') quote(of)
    for (const key in of) if (typeof of[key] === 'object') visit(of[key])
  }
  visit(parseAst(code, { lang: 'ts' }))
  return [...new Set(found)]
}

test('no refusal is quoted outside the lists that have a Hindi version [spec 8.17]', () => {
  const root = join(source, '../..')
  const found = ['contract/src/**/{calls*,schemas,fields}.ts', 'server/src/features/**/{rules,commands}*.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .flatMap((file) => quotedIn(readFileSync(join(root, file), 'utf8'), file.startsWith('contract')))
    .filter((sentence) => lookup(sentence) === sentence && !onlyOfPrograms.has(sentence))
  assert.deepEqual(found, [])
  assert.deepEqual(quotedIn("const a = { summary: 'It is.', message: `No.` }", false), ['a template'])
  assert.deepEqual(quotedIn("text('Please say why.', 300)", true), ['Please say why.'])
})
