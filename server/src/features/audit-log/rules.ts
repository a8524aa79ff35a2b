import type { AuditChange } from '@podium/contract/audit-log/calls'
import { className, isClassId } from '@podium/contract/classes'
import { formatDay, isDay } from '@podium/contract/season'

/** The content of an audit line: any JSON. */
export type AuditValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AuditValue[]
  | { [key: string]: AuditValue }

/** A raw field of an audit line. */
export interface Leaf extends Pick<AuditChange, 'field'> {
  within: readonly string[]
  from: AuditValue
  to: AuditValue
}

const maxLeaves = 400

type Fields = { [key: string]: AuditValue }
const isFields = (value: AuditValue): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isNone = (value: AuditValue) => Array.isArray(value) && value.length === 0
const isEmpty = (value: AuditValue) =>
  value === null || value === undefined || value === '' || value === '[]' || isNone(value)

/** The fields by which entries of a list are named. */
const namesOfEntries = ['medal', 'name', 'title', 'roll'] as const

/** Turns a list of records into fields, so that entries are compared by name or, without a name, by position. */
function named(list: readonly AuditValue[]): Fields {
  const fields: Fields = {}
  for (const [index, record] of list.entries()) {
    const entry = record as Fields
    const by = namesOfEntries.find((key) => typeof entry[key] === 'string')
    const { [by ?? '']: name, ...rest } = entry
    // Medals have translated names.
    const label = by === undefined ? `=${index + 1}` : by === 'medal' ? String(name) : `=${String(name)}`
    fields[label in fields ? `${label} ${index + 1}` : label] = rest
  }
  return fields
}

const unfolded = (value: AuditValue): AuditValue =>
  Array.isArray(value) && value.length > 0 && value.every(isFields) ? named(value) : value

/** `fee 7` of a price is the fee of Class 7, `class 7` the whole class. A key with other characters is its own name. */
function keyOf(key: string): { within: string[]; field: string } {
  const [, what, id] = /^(\w+) (\d+)$/.exec(key) ?? []
  if (what !== undefined && isClassId(Number(id))) {
    const name = `=${className(Number(id))}`
    return what === 'class' ? { within: [], field: name } : { within: [name], field: what }
  }
  // Merges count by `table.column`.
  if (/^[a-z_]+\.[a-z_]+$/.test(key)) return { within: [], field: key.replace(/\..*/, '') }
  return { within: [], field: /[ ,]/.test(key) && !key.startsWith('=') ? `=${key}` : key }
}

function* compare(within: readonly string[], key: string, from: AuditValue, to: AuditValue): Generator<Leaf> {
  const [before, after] = [unfolded(from), unfolded(to)]
  const deeper = isFields(before) ? isFields(after) || isEmpty(after) : isEmpty(before) && isFields(after)
  const at = key === '' ? { within: [], field: '' } : keyOf(key)
  if (!deeper) {
    if (JSON.stringify(before ?? '') !== JSON.stringify(after ?? ''))
      yield { within: [...within, ...at.within], field: at.field, from: before, to: after }
    return
  }
  const [old, fresh] = [isFields(before) ? before : {}, isFields(after) ? after : {}]
  const inside = at.field === '' ? within : [...within, ...at.within, at.field]
  for (const field of new Set([...Object.keys(old), ...Object.keys(fresh)]))
    yield* compare(inside, field, old[field], fresh[field])
}

/**
 * Flattens the change of an audit line: the fields that differ between `from` and `to` (`was` and `hours` for exam
 * slots) at any depth, plus all other fields of the line.
 */
export function leavesOf(change: AuditValue): Leaf[] {
  if (!isFields(change)) return []
  const { was, hours, ...others } = change
  const ofSlot = isFields(was) || isFields(hours)
  const line: Fields = ofSlot ? { ...others, from: was ?? null, to: hours ?? null } : change
  const { from, to, ...rest } = line
  // A `from` without `to` is a date or a number, not an earlier value.
  const alone = to === undefined && !isFields(from)
  const leaves = [
    ...compare([], '', alone ? undefined : from, to),
    ...compare([], '', undefined, alone ? { ...rest, from } : rest),
  ].filter((leaf) => !isHidden(leaf))
  if (leaves.length <= maxLeaves) return leaves
  return [
    ...leaves.slice(0, maxLeaves),
    { within: [], field: 'more', from: '', to: leaves.length - maxLeaves },
  ]
}

/** Fields hidden from readers: file and row ids, sort orders, and empty filters. */
const hiddenFields = new Set([
  'fileId',
  'jobId',
  'import',
  'invitation',
  'anomalyIds',
  'sort',
  'page',
  'rulesVersion',
])
/** Internal tables that a school merge also updates. */
const innerTables = new Set([
  ...['dispatch_stale', 'ledger_stale', 'notice_reads', 'jobs', 'files', 'school_import_rows', 'schools'],
  ...['result_marks', 'coordinator_offers', 'school_departures', 'bank_lines', 'outbox'],
])

function isHidden({ field, within, from, to }: Leaf): boolean {
  if (within[0] === 'filters' && (isEmpty(to) || to === 'all' || to === 0)) return true
  if (within[0] === 'moved' && innerTables.has(field)) return true
  if (field === 'version' && isEmpty(to)) return true
  return (isEmpty(from) && isEmpty(to)) || hiddenFields.has(field)
}

const parents = new Set(['parentName', 'parentEmail', 'parentMobile'])

/** Shows that parents' details changed, but not the details. */
export function masked(leaves: readonly Leaf[]): Leaf[] {
  const mask = (value: AuditValue) => (isEmpty(value) ? '' : '•••')
  return leaves.map((leave) =>
    parents.has(leave.field) ? { ...leave, from: mask(leave.from), to: mask(leave.to) } : leave,
  )
}

/** The permission to see the history of each kind of record. A kind that is missing is visible to owners only. */
export const kindPermissions = {
  school: 'schools.read',
  schools: 'schools.read',
  user: 'schools.read',
  application: 'schools.read',
  contact: 'schools.read',
  invitation: 'schools.read',
  student: 'students.read',
  students: 'students.read',
  waiver: 'waivers.read',
  import: 'schools.read',
  participation: 'schools.read',
  packet: 'schools.read',
  packets: 'dispatch.read',
  dispatch: 'dispatch.read',
  courier: 'dispatch.read',
  slot: 'exams.read',
  schedule: 'exams.read',
  exam_papers: 'exams.read',
  question: 'schools.read',
  acting: 'schools.read',
  reminder: 'schools.read',
  note: 'schools.read',
  mailing: 'schools.read',
  payment: 'payments.read',
  'bank-line': 'payments.read',
  'bank-statement': 'payments.read',
  credit: 'payments.read',
  refund: 'payments.read',
  'account-change': 'payments.read',
  'money-day': 'payments.read',
  payments: 'payments.read',
  receipts: 'payments.read',
  ledger: 'payments.read',
  'library-line': 'payments.read',
  result: 'results.read',
  result_set: 'results.read',
  event: 'results.read',
  next_level: 'results.read',
  season: 'catalogue.read',
  event_terms: 'catalogue.read',
  list_entry: 'catalogue.read',
  notice: 'notices.read',
  changes: 'changes.read',
  mail: 'mails.read',
  mail_text: 'mails.read',
  job: 'jobs.read',
  backup: 'backups.read',
  retention: 'backups.read',
  data_request: 'privacy.read',
  incident: 'incidents.read',
  foundation: 'signed-in',
  staff: 'staff.manage',
} as const

/** The permission to read about a kind of record. */
export function permissionOfKind(kind: string): (typeof kindPermissions)[keyof typeof kindPermissions] {
  const known = Object.entries(kindPermissions).find(([name]) => name === kind)
  return known ? known[1] : 'staff.manage'
}

/** Records that audit lines refer to by id and show by name. */
export const entities = [
  ...([
    'user',
    'staff',
    'school',
    'student',
    'event',
    'result_set',
    'participation',
    'slot',
    'subject',
  ] as const),
  ...(['designation', 'title', 'state', 'zone', 'district', 'holiday'] as const),
  ...(['payment', 'bank-line', 'bank-statement', 'library-line'] as const),
  ...(['application', 'contact', 'invitation', 'courier', 'notice', 'question', 'view'] as const),
] as const
export type Entity = (typeof entities)[number]

const singleFields: Record<string, Entity> = {
  user: 'user',
  userId: 'user',
  school_id: 'school',
  schoolId: 'school',
  eventYearId: 'event',
  eventId: 'event',
  event_id: 'event',
  designation_id: 'designation',
  title_id: 'title',
  state_id: 'state',
  zone_id: 'zone',
  paymentId: 'payment',
  lineId: 'bank-line',
  statement: 'bank-statement',
  student: 'student',
  slotId: 'slot',
}
const bulkFields: Record<string, Entity> = {
  students: 'student',
  records: 'student',
  schools: 'school',
  libraryLines: 'library-line',
}

const isId = (value: AuditValue) =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/** The kind of record whose id a field holds. A number of students or schools is a count; a list holds ids. */
export function entityOfField(action: string, { field }: Leaf, value: AuditValue): Entity | undefined {
  if (field === 'ids' && action.startsWith('schools.')) return 'school'
  if (Array.isArray(value)) return value.every(isId) ? bulkFields[field] : undefined
  return isId(value) ? singleFields[field] : undefined
}

const kinds: Record<string, Entity> = {
  user: 'user',
  staff: 'staff',
  school: 'school',
  student: 'student',
  waiver: 'student',
  event: 'event',
  event_terms: 'event',
  next_level: 'event',
  schedule: 'event',
  exam_papers: 'event',
  result_set: 'result_set',
  participation: 'participation',
  slot: 'slot',
  payment: 'payment',
  'bank-line': 'bank-line',
  'bank-statement': 'bank-statement',
  'library-line': 'library-line',
  application: 'application',
  contact: 'contact',
  invitation: 'invitation',
  courier: 'courier',
  notice: 'notice',
  question: 'question',
  view: 'view',
}
const lists: Record<string, Entity> = {
  designations: 'designation',
  titles: 'title',
  states: 'state',
  zones: 'zone',
  districts: 'district',
  holidays: 'holiday',
}

/** Kinds whose id is their name: a season, a day, an e-mail text, a list entry. */
const namedById = new Set(['season', 'money-day', 'mail_text', 'list_entry'])

/** The name made from a record's id: `2026-27`, `21-Nov-2026`; codes have their own words. */
export function ownName(kind: string, id: string): string {
  if (!namedById.has(kind) || id === 'all') return ''
  return isDay(id) ? formatDay(id) : id
}

/** The entity and id behind a record of a kind; a list entry's id is `titles.8`. Undefined if it has no name. */
export function entityOfSubject(kind: string, id: string): readonly [Entity, string] | undefined {
  const [list = '', entry = ''] = kind === 'list_entry' ? id.split('.') : []
  const entity = kind === 'list_entry' ? lists[list] : kinds[kind]
  const number = kind === 'list_entry' ? entry : id
  return entity !== undefined && /^\d{1,15}$/.test(number) ? [entity, number] : undefined
}
