import type { AuditChange } from '@podium/contract/audit-log/calls'
import codeWords from '@podium/contract/audit-log/words-values.en.json' with { type: 'json' }
import { className, isClassId } from '@podium/contract/classes'
import { cutText } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { formatRupees, fromRupees, rupees, rupeesOf } from '@podium/contract/money'
import { formatDay, isDay, istDay, istTime } from '@podium/contract/season'
import type { AuditValue, Leaf } from './rules.ts'
import { type Entity, entityOfField } from './rules.ts'

type Sense =
  | 'paise'
  | 'rupees'
  | 'marks'
  | 'class'
  | 'subject'
  | 'events'
  | 'words'
  | 'mails'
  | 'counted'
  | 'text'

const paiseFields = new Set([
  ...[
    'gross',
    'retained',
    'payable',
    'amount',
    'price',
    'fee',
    'cb',
    'pyqp',
    'geneX',
    'tb',
    'wb',
    'bookRetained',
  ],
  ...['lateFee', 'outgoing', 'toCredit', 'regAmount', 'bookAmount', 'perHead', 'credit', 'due'],
  ...['linesAmount', 'toPayments', 'toEarlier', 'discarded', 'paymentsAmount', 'fromLines', 'fromCredit'],
  ...[
    'difference',
    'creditReceived',
    'creditUsed',
    'refundsAmount',
    'foundLater',
    'arrived',
    'arrivedOpen',
    'opening',
    'closing',
    'incoming',
  ],
])
const bookFields = new Set(['cb', 'pyqp', 'geneX', 'tb', 'wb'])
const subjectFields = new Set(['letter', 'eventLetter', 'letters', 'subjects'])
const wordFields = new Set([
  ...[
    '',
    'state',
    'status',
    'standing',
    'purpose',
    'paymentFor',
    'step',
    'kind',
    'audience',
    'language',
    'role',
  ],
  ...[
    'contents',
    'codes',
    'list',
    'paper',
    'as',
    'format',
    'examMode',
    'mode',
    'fee',
    'due',
    'by',
    'show',
    'on',
  ],
  ...[
    'within',
    'offered',
    'staff',
    'contacts',
    'provider',
    'method',
    'share',
    'medal',
    'bank',
    'open',
    'was',
  ],
  ...['nature', 'report', 'outcome', 'how', 'who'],
])

/** Actions whose amounts are rupees, as in the calls; all others store paise. */
const inRupees = new Set([
  'student.cancelled',
  'waiver.approved',
  'results.rules_saved',
  'results.rules_tried',
  'school.share_followed',
])

/** The meaning of a field's value: the same field can be an amount in one action and a yes/no in another. */
function senseOf(action: string, { field, within }: Leaf, value: AuditValue): Sense {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const isClass = field.startsWith('=') && action === 'event.prices_changed'
    if (within[0] === 'missing' || within[0] === 'settled' || within[0] === 'moved') return 'text'
    if (field === 'share') return 'rupees'
    if (field === 'final') return 'marks'
    // The number of debit lines of a statement; newer lines call it `outgoingLines`.
    if (field === 'outgoing' && action === 'bank.imported') return 'text'
    if (isClass || paiseFields.has(field)) return inRupees.has(action) ? 'rupees' : 'paise'
  }
  if (field === 'marks') return 'marks'
  if (action === 'packet.confirmed' && field.startsWith('=')) return 'counted'
  if (field === 'kind' && action.startsWith('mail.')) return 'mails'
  if (field === 'events' || field === 'left_out') return Array.isArray(value) ? 'events' : 'text'
  if (field === 'classId' || field === 'classes') return 'class'
  if (subjectFields.has(field)) return 'subject'
  return wordFields.has(field) || typeof value === 'boolean' ? 'words' : 'text'
}

/** Whether a field is an amount, which needs the permission to read payments. */
export const isAmount = (action: string, leaf: Leaf): boolean =>
  [leaf.from, leaf.to].some((value) => ['paise', 'rupees'].includes(senseOf(action, leaf, value)))

const longest = 200
const maxNamed = 10

/** The items of a value; a list may also be stored as JSON text. */
function itemsOf(value: AuditValue): readonly AuditValue[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return [value]
  if (/^\d+(,\d+)+$/.test(value)) return value.split(',')
  if (!value.startsWith('[')) return [value]
  try {
    const read: unknown = JSON.parse(value)
    return Array.isArray(read) ? (read as AuditValue[]) : [value]
  } catch {
    return [value]
  }
}

/** Subject letters, stored as a list or as text: `S,E,G`. */
const lettersOf = (value: AuditValue): readonly AuditValue[] =>
  typeof value === 'string' && /^[A-Z](,[A-Z])+$/.test(value) ? value.split(',') : itemsOf(value)

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

function textOf(value: AuditValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const at = new Date(instant.test(text) ? text : Number.NaN)
  // An invalid time, such as hour 25, is text that a user typed.
  if (!Number.isNaN(at.getTime())) return `${formatDay(istDay(at))} ${istTime(at)}`
  return isDay(text) ? formatDay(text) : text
}

/** The name behind an id or letter; undefined if it was not looked up. */
export type NameOf = (entity: Entity, id: string) => string | undefined

/** `M 1` is Mathematics; levels above 1 are named. */
function eventText(value: string, nameOf: NameOf): string {
  const [letter = '', level = '1'] = value.split(' ')
  const name = nameOf('subject', letter) ?? letter
  return level === '1' ? name : `${name} ${level}`
}

function itemText(
  { sense, entity, field }: { sense: Sense; entity: Entity | undefined; field: string },
  value: AuditValue,
  nameOf: NameOf,
): string {
  if (value === null || value === undefined || value === '') return ''
  if (entity !== undefined) return nameOf(entity, String(value)) ?? String(value)
  if (sense === 'subject') return nameOf('subject', String(value)) ?? String(value)
  // The subjects of a student's books, as one text.
  if (bookFields.has(field) && typeof value === 'string') return value.replaceAll(/,(?=\S)/g, ', ')
  if (sense === 'marks' && typeof value === 'number') return String(value / 10_000)
  if (sense === 'events') return eventText(String(value), nameOf)
  if (sense === 'class') {
    const id = Number(value)
    return isClassId(id) ? className(id) : String(value)
  }
  if (sense === 'paise' && Number.isSafeInteger(value)) return formatRupees(rupeesOf(Number(value)))
  if (sense === 'rupees') return formatRupees(rupees(fromRupees(Number(value))))
  return textOf(value)
}

/** Yields the entities and letters that a field refers to, for looking up their names. */
export function* namesIn(action: string, leaf: Leaf): Generator<readonly [Entity, string]> {
  for (const value of [leaf.from, leaf.to]) {
    const entity = entityOfField(action, leaf, value)
    const sense = senseOf(action, leaf, value)
    if (entity === undefined && sense !== 'subject' && sense !== 'events') continue
    const items = sense === 'subject' ? lettersOf(value) : itemsOf(value)
    for (const item of items.slice(0, maxNamed)) {
      const id = sense === 'events' ? String(item).split(' ')[0] : item
      if (typeof id === 'number' || typeof id === 'string') yield [entity ?? 'subject', String(id)]
    }
  }
}

export const codeOf = (value: string) => value.replaceAll(/[^a-zA-Z0-9]/g, '_')

const named = new Set<Sense>(['subject', 'events', 'class'])
/** Fields with a name of the office's lists, unless it is the code of a state that a record is in. */
const listed = new Set(['state', 'states', 'zone', 'district', 'designation', 'title'])

/** A field as shown: names, amounts in rupees, dates, and words for known codes. */
export function describeChange(action: string, leaf: Leaf, nameOf: NameOf) {
  let as: AuditChange['as']
  const format = (value: AuditValue): string => {
    const sense = senseOf(action, leaf, value)
    const entity = entityOfField(action, leaf, value)
    if (entity !== undefined || named.has(sense) || value === messages.receivedBySchool) as = 'names'
    const items = sense === 'subject' ? lettersOf(value) : itemsOf(value)
    const texts = items
      .slice(0, maxNamed)
      .map((item) => itemText({ sense, entity, field: leaf.field }, item, nameOf))
    if (sense === 'mails' || sense === 'counted') as = sense
    if (sense === 'words' && texts.some((item) => Object.hasOwn(codeWords, codeOf(item)))) as ??= 'words'
    if (listed.has(leaf.field)) as ??= 'names'
    const rest = items.length > maxNamed ? ` … (+${items.length - maxNamed})` : ''
    const text = texts.filter((item) => item !== '').join(', ') + rest
    return text.length > longest ? `${cutText(text, longest)}…` : text
  }
  const [from, to] = [format(leaf.from), format(leaf.to)]
  return {
    field: leaf.field,
    from,
    to,
    ...(leaf.within.length > 0 ? { within: [...leaf.within] } : {}),
    ...(as ? { as } : {}),
  }
}
