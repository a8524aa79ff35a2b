import fc from 'fast-check'
import { type Ask, type Fields, pick } from './ask.ts'
import type { Shape } from './samples.ts'

type File = NonNullable<Ask['file']>

const bytes = (text: string) => new TextEncoder().encode(text)
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

/** Files that are not what their call expects, or in a form that nobody writes. */
const odd: readonly File[] = [
  { name: 'empty.csv', bytes: new Uint8Array() },
  { name: 'empty.xlsx', bytes: new Uint8Array() },
  { name: 'mark.csv', bytes: bytes('\ufeff') },
  { name: 'lines.csv', bytes: bytes('\n\r\n\r\n\n') },
  { name: 'quote.csv', bytes: bytes('Class,"Section\n7,A') },
  { name: 'quotes.csv', bytes: bytes('"a"b,"c""d"\n"7"7,""""') },
  { name: 'wide.csv', bytes: bytes(`${'a,'.repeat(5_000)}\n`) },
  {
    name: 'tall.csv',
    bytes: bytes(`Class,Section,Roll No,Student Name,Subjects\n${'7,A,1,Om,M\n'.repeat(20_000)}`),
  },
  { name: 'cell.csv', bytes: bytes(`Class,Section\n7,${'x'.repeat(100_000)}\n`) },
  { name: 'nul.csv', bytes: bytes('Class,Section,Roll No,Student Name,Subjects\n7,A,1,Om\u0000,M\n') },
  { name: 'half.csv', bytes: latin('Class,Section\n7,\xed\xa0\xbd\n') },
  { name: 'utf16.csv', bytes: utf16('Class,Section,Roll No,Student Name,Subjects\n7,A,1,Om,M\n') },
  { name: 'semicolons.csv', bytes: bytes('Class;Section;Roll No;Student Name;Subjects\n7;A;1;Om;M\n') },
  { name: 'same.csv', bytes: bytes('Class,Class,Class,__proto__,constructor\n7,7,7,7,7\n') },
  { name: 'formula.csv', bytes: bytes('Class,Section,Roll No,Student Name,Subjects\n=1+1,@A,-1,+Om,M\n') },
  { name: 'dates.csv', bytes: bytes('Date,Narration,Amount\n31/02/2026,x,1e400\n99/99/9999,y,-0.001\n') },
  { name: 'zip.xlsx', bytes: latin('PK\x03\x04\x14\x00\x00\x00\x08\x00garbage') },
  { name: 'ended.xlsx', bytes: latin(`PK\x05\x06${'\x00'.repeat(18)}`) },
  { name: 'old.xls', bytes: latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') },
  { name: 'picture.csv', bytes: latin('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01') },
  {
    name: 'huge.png',
    bytes: latin('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\x00\x00\x00'),
  },
  { name: 'page.pdf', bytes: latin('%PDF-1.7\n%%EOF') },
  { name: 'drawing.svg', bytes: bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>') },
  { name: '../../../../etc/list.csv', bytes: bytes('Class,Section\n7,A\n') },
  { name: `${'n'.repeat(300)}.csv`, bytes: bytes('Class,Section\n7,A\n') },
  { name: '.csv', bytes: bytes('Class,Section\n7,A\n') },
  { name: 'नमूना 👩‍👧 "list".csv', bytes: bytes('Class,Section\n7,A\n') },
]

/** Returns a call's file or another one: an odd one, or its own cut off or with one byte changed. */
function oddFile(file: File | undefined, at: number): File | undefined {
  const original = file ?? odd[0]
  if (!original || at % 3 > 0) return pick(odd, Math.floor(at / 3))
  const place = at % Math.max(1, original.bytes.length)
  if (at % 2 > 0) return { ...original, bytes: original.bytes.slice(0, place) }
  return { ...original, bytes: original.bytes.with(place, at % 256) }
}

/** Files as data URLs in JSON. */
const oddDataUrls: readonly string[] = [
  'data:,',
  'data:image/png;base64,',
  'data:image/png;base64,AAAA',
  'data:image/png;base64,!!!!',
  'data:application/pdf;base64,JVBERi0xLjcKJSVFT0Y=',
  `data:image/png;base64,${Buffer.from(odd.find(({ name }) => name === 'huge.png')?.bytes ?? []).toString('base64')}`,
  'data:image/svg+xml,<svg/>',
  'data:text/html,<script>1</script>',
  'http://127.0.0.1/x.png',
  'file:///etc/passwd',
]

/** What people, programs and attackers send in place of the expected value. */
const oddValues: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  '',
  ' ',
  0,
  -1,
  1,
  0.5,
  1e21,
  -1e-7,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_991,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  1e308,
  '0',
  '-1',
  '1e3',
  '0x10',
  '١٢٣',
  '2147483648',
  '9223372036854775808',
  '999999999999999',
  '999999999999-999999999999',
  'NaN',
  'null',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'a\u0000b',
  '\u0000',
  '\ud83d',
  'half \ude00',
  '👩‍👩‍👧‍👦'.repeat(40),
  'नमूना',
  '\u202eevil\u200b',
  "' or 1=1 --",
  '%',
  '_%\\',
  '\\',
  '{{name}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '=1+1',
  'x'.repeat(300),
  'x'.repeat(5_000),
  'x'.repeat(70_000),
  '2026-02-30',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '+275760-09-13',
  '2026-11-21T25:00:00Z',
  '2026-11-21T06:00:00+99:00',
  '1969-12-31T23:59:59.999Z',
  '2026-28',
  '2099-00',
  '1999-00',
  [],
  {},
  [[]],
  [null],
  { length: 3 },
  { toString: 'x' },
  Array.from({ length: 2_000 }, () => 1),
  Array.from({ length: 600 }, (_, index) => ({ id: index })),
]

/** Names with a meaning in JavaScript, or none at all. */
const oddNames = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'nothingThatIsKnown',
  '',
  '\u0000',
  'ID',
  'x.y',
]

/**
 * How an input is spoilt. Numbers choose by remainder, so that a plan fits any call: which field, which odd value.
 * `swapped` replaces what belongs to school A by what belongs to school B.
 */
export type Spoiling =
  | { how: 'right' }
  | { how: 'value'; field: number; value: number }
  /** Of the right kind, at an edge */
  | { how: 'edge'; field: number; value: number }
  | { how: 'anything'; field: number; value: unknown }
  | { how: 'missing'; field: number }
  | { how: 'extra'; name: number; value: number; where: number }
  | { how: 'swapped'; field: number }
  | { how: 'many'; field: number; times: number }
  /** Does nothing if the call takes no file */
  | { how: 'file'; file: number }
  | { how: 'raw'; raw: number }

const place = fc.nat(10_000)
const anything = fc.oneof(
  // Any code points. `fc.string({ unit: 'binary' })` first builds a table of all 1.1 million of them.
  fc.array(fc.nat(0x10_ffff), { maxLength: 10 }).map((points) => String.fromCodePoint(...points)),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' }),
)

const aField = { field: place }
const weighed: readonly [number, fc.Arbitrary<Spoiling>][] = [
  [6, fc.constant({ how: 'right' })],
  [25, fc.record({ how: fc.constant('value'), ...aField, value: place })],
  [40, fc.record({ how: fc.constant('edge'), ...aField, value: place })],
  [8, fc.record({ how: fc.constant('anything'), ...aField, value: anything })],
  [6, fc.record({ how: fc.constant('missing'), ...aField })],
  [5, fc.record({ how: fc.constant('extra'), name: place, value: place, where: fc.nat(1) })],
  [12, fc.record({ how: fc.constant('swapped'), ...aField })],
  [3, fc.record({ how: fc.constant('many'), ...aField, times: fc.constantFrom(51, 501, 6_000) })],
  [6, fc.record({ how: fc.constant('raw'), raw: place })],
]

export const aSpoiling: fc.Arbitrary<Spoiling> = fc.oneof(
  ...weighed.map(([weight, arbitrary]) => ({ weight, arbitrary })),
)

/** For calls with a file: mostly the file is wrong, or the form around it. */
export const aFileSpoiling: fc.Arbitrary<Spoiling> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ how: fc.constant('file' as const), file: place }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('raw' as const), raw: place }) },
)

/** A field of an input: its container and its name. */
interface Field {
  within: Fields | unknown[]
  key: string | number
  shape?: Shape | undefined
}

function fieldsWithin(value: unknown, into: Field[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 4) return
  const keys = Array.isArray(value) ? value.slice(0, 3).map((_, index) => index) : Object.keys(value)
  for (const key of keys) {
    into.push({ within: value as Fields, key })
    fieldsWithin((value as Fields)[key], into, depth + 1)
  }
}

const days = [
  '2026-02-28',
  '2024-02-29',
  '2026-04-01',
  '2027-03-31',
  '2026-12-31',
  '2000-01-01',
  '9999-12-31',
  '0001-01-01',
  '',
]
const moments = [
  '2026-11-21T06:00:00Z',
  '2026-11-21T05:59:59.999Z',
  '9999-12-31T23:59:59Z',
  '2000-01-01T00:00:00+14:00',
  '0001-01-01T00:00:00Z',
]
const seasons = ['2025-26', '2024-25', '2027-28', '2099-00', '2000-01', '2026-27']
const numbers = [0, 1, 2, 3, 12, 15, 50, 99, 100, 1_000, 999_999, 99_999_999, 2_147_483_647, 0.01, 0.005, 1e9]
/** Many special characters in one text: for SQL's LIKE, patterns, quotes and brackets, addresses. */
const mixed = '5%_\\ "b" \'c\' {d} [e-] (f +g* ^h$ |i #&?=;<j>'
const texts = [
  mixed,
  `=${mixed}`,
  `%E0%A4%A ${mixed}`,
  '["a"',
  '{"a":',
  'Ⅷ ﬁ ẛ̣\u0301 किरण 👩‍👩‍👧‍👦',
  'a\tb\nc',
  '2026-11-21T25:00:00Z',
  '2026-02-30',
  '7',
  'M',
  'x'.repeat(40),
  'x'.repeat(120),
  'x'.repeat(200),
]

/** Returns values of the expected kind, which a schema accepts more often than not. */
function edgesOf(name: string, value: unknown, shape: Shape | undefined): readonly unknown[] {
  if (name === 'attechment') return oddDataUrls
  const choices =
    shape?.enum ??
    shape?.anyOf?.flatMap((item) => item.enum ?? (item.const === undefined ? [] : [item.const]))
  if (choices && choices.length > 0) return choices
  if (typeof value === 'number') return numbers
  if (typeof value === 'boolean') return [true, false]
  if (typeof value !== 'string') return [...numbers, ...texts]
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return moments
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return days
  if (/^\d{4}-\d\d$/.test(value)) return seasons
  return /^\d+$/.test(value) ? numbers.map(String) : texts
}

/**
 * Returns the fields of an input: query first, then the body, at any depth; if it has none, those its shape would
 * allow.
 */
function fieldsOf(ask: Ask, shapes: readonly [Shape, Shape]): Field[] {
  const fields: Field[] = []
  const parts: [Fields, Shape][] = [
    [ask.query ?? {}, shapes[0]],
    [(ask.body ?? {}) as Fields, shapes[1]],
  ]
  for (const [part, shape] of parts) {
    fieldsWithin(part, fields)
    for (const name of Object.keys(shape.properties ?? {}))
      if (!Object.hasOwn(part, name)) fields.push({ within: part, key: name })
    for (const field of fields) if (field.within === part) field.shape = shape.properties?.[String(field.key)]
  }
  return fields
}

function put({ within, key }: Field, value: unknown): void {
  // A field named __proto__ must be sent, not change this program's own objects.
  Object.defineProperty(within, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Spoils an input; unchanged parts are copied, never shared. `foreign` returns what school B has in a field. */
export function spoil(
  ask: Ask,
  spoiling: Spoiling,
  shapes: readonly [Shape, Shape],
  foreign: (name: string) => unknown,
): Ask {
  const copy: Ask = { ...ask, query: structuredClone(ask.query ?? {}), body: structuredClone(ask.body ?? {}) }
  if (spoiling.how === 'file') {
    const file = oddFile(ask.file, spoiling.file)
    return { ...copy, ...(file && { file }) }
  }
  const fields = fieldsOf(copy, shapes)
  if (spoiling.how === 'extra') {
    const within = (spoiling.where === 0 ? copy.query : copy.body) as Fields
    put({ within, key: pick(oddNames, spoiling.name) ?? '' }, pick(oddValues, spoiling.value))
    return copy
  }
  const field = 'field' in spoiling ? pick(fields, spoiling.field) : undefined
  if (!field) return copy
  switch (spoiling.how) {
    case 'value':
      put(field, pick(oddValues, spoiling.value))
      break
    case 'edge':
      put(
        field,
        pick(edgesOf(String(field.key), (field.within as Fields)[field.key], field.shape), spoiling.value),
      )
      break
    case 'anything':
      put(field, spoiling.value)
      break
    case 'missing':
      put(field, undefined)
      break
    case 'many': {
      const before = (field.within as Fields)[field.key]
      const value = Array.isArray(before) && before.length > 0 ? before[0] : before
      put(
        field,
        Array.from({ length: spoiling.times }, () => value ?? 1),
      )
      break
    }
    case 'swapped': {
      const other = foreignValue(fields, spoiling.field, foreign)
      if (other) put(other.field, other.value)
      break
    }
    default:
      break
  }
  return copy
}

/** Returns the next field, from a position on, of which school B has its own value. */
function foreignValue(fields: readonly Field[], from: number, foreign: (name: string) => unknown) {
  for (let step = 0; step < fields.length; step++) {
    const field = pick(fields, from + step)
    const value = field && foreign(String(field.key))
    if (field && value !== undefined) return { field, value }
  }
  return undefined
}
