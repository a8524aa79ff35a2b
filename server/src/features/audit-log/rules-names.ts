import { formatDay, isDay } from '@podium/contract/season'
import type { Leaf, Told } from './rules.ts'

/** What has a name of its own and is kept in audit lines by its number. */
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

const single: Record<string, Entity> = {
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
const several: Record<string, Entity> = {
  students: 'student',
  records: 'student',
  schools: 'school',
  libraryLines: 'library-line',
}

const isId = (value: Told) => typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/** Whose number a field holds; a number of students or schools is a number, a list of them is names. */
export function entityOfField(action: string, { field }: Leaf, value: Told): Entity | undefined {
  if (field === 'ids' && action.startsWith('schools.')) return 'school'
  if (Array.isArray(value)) return value.every(isId) ? several[field] : undefined
  return isId(value) ? single[field] : undefined
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

/** Kinds whose records are named by what identifies them: a season, a day, a text, a list in its order. */
const namedById = new Set(['season', 'money-day', 'mail_text', 'list_entry'])

/** The name of a record that has no other: `2026-27`, `21-Nov-2026`; codes have words of their own. */
export function ownName(kind: string, id: string): string {
  if (!namedById.has(kind) || id === 'all') return ''
  return isDay(id) ? formatDay(id) : id
}

/** Which name a record of a kind has, and its number; a list's entry is `titles.8`. Undefined for what has no name. */
export function entityOfSubject(kind: string, id: string): readonly [Entity, string] | undefined {
  const [list = '', entry = ''] = kind === 'list_entry' ? id.split('.') : []
  const entity = kind === 'list_entry' ? lists[list] : kinds[kind]
  const number = kind === 'list_entry' ? entry : id
  return entity !== undefined && /^\d{1,15}$/.test(number) ? [entity, number] : undefined
}
