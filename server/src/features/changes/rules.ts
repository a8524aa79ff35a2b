interface Change {
  field: string
  from: string
  to: string
}

/** What an audit line keeps: any JSON. */
export type Told = string | number | boolean | null | undefined | readonly Told[] | { [key: string]: Told }

const longest = 200

function shown(value: Told): string {
  if (value === null || value === undefined || value === '') return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function fieldsOf(value: Told): Map<string, string> {
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['', shown(value)]])
  return new Map(Object.entries(value).map(([field, inside]) => [field, shown(inside)]))
}

/**
 * The change of an audit line as a list: of `from` and `to` the fields that differ, and beside them whatever else the
 * line says. A field of `''` is the whole.
 */
export function changesOf(change: Told): Change[] {
  if (change === null || change === undefined || typeof change !== 'object' || Array.isArray(change))
    return []
  const { from, to, ...rest } = change as { [key: string]: Told }
  const [before, after] = [fieldsOf(from), fieldsOf(to)]
  const differing = [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, from: before.get(field) ?? '', to: after.get(field) ?? '' }))
    .filter((one) => one.from !== one.to)
  const said = [...fieldsOf(rest)].map(([field, value]) => ({ field, from: '', to: value }))
  return [...differing, ...said.filter(({ to: value }) => value !== '')]
}

const parents = new Set(['parentName', 'parentEmail', 'parentMobile'])
const amounts = new Set(['regAmount', 'bookAmount'])

/** That something of a child's parents was written or changed, not what. */
export function masked(changes: readonly Change[]): Change[] {
  const mask = (value: string) => (value === '' ? '' : '•••')
  return changes.map((one) =>
    parents.has(one.field) ? { ...one, from: mask(one.from), to: mask(one.to) } : one,
  )
}

export const isNoAmount = ({ field }: Change): boolean => !amounts.has(field)

/** Which permission shows what happened to records of a kind; a kind that is not here is for the owner alone. */
export const kindPermissions = {
  school: 'schools.read',
  schools: 'schools.read',
  user: 'schools.read',
  application: 'schools.read',
  contact: 'schools.read',
  invitation: 'schools.read',
  student: 'students.read',
  students: 'students.read',
  waiver: 'students.read',
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
  visit: 'schools.read',
  nudge: 'schools.read',
  payment: 'payments.read',
  'bank-line': 'payments.read',
  'bank-statement': 'payments.read',
  credit: 'payments.read',
  refund: 'payments.read',
  'account-change': 'payments.read',
  'money-day': 'payments.read',
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
  backup: 'care.read',
  retention: 'care.read',
  data_request: 'privacy.read',
  foundation: 'signed-in',
  staff: 'staff.manage',
} as const

/** The permission to read about a kind of record. */
export function permissionOfKind(kind: string): (typeof kindPermissions)[keyof typeof kindPermissions] {
  const known = Object.entries(kindPermissions).find(([name]) => name === kind)
  return known ? known[1] : 'staff.manage'
}
