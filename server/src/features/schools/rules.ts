import { foldName } from '@podium/contract/names'

interface Described {
  name: string
  pinCode: string
  phone: string
  udiseCode: string
  affiliationNo: string
}

export type Sameness = 'udise' | 'affiliation' | 'name' | 'pin' | 'phone' | 'similar_name'

const weight: Record<Sameness, number> = {
  udise: 8,
  affiliation: 8,
  name: 4,
  phone: 3,
  similar_name: 2,
  pin: 2,
}

/** Words that half of all schools have in their names and that tell none from another. */
const common = new Set([
  'school',
  'public',
  'high',
  'senior',
  'secondary',
  'sr',
  'sec',
  'higher',
  'the',
  'of',
  'and',
  'vidyalaya',
  'college',
  'inter',
])

function words(name: string): Set<string> {
  return new Set(
    foldName(name)
      .split(' ')
      .filter((word) => word !== '' && !common.has(word)),
  )
}

/** Whether half or more of the telling words of the shorter name stand in the other. */
function similarNames(one: string, other: string): boolean {
  const a = words(one)
  const b = words(other)
  const shared = [...a].filter((word) => b.has(word)).length
  return shared > 0 && shared * 2 >= Math.min(a.size, b.size)
}

/** What an application and a known school have in common; see domain.md: UDISE code, affiliation number, name and pin code. */
export function samenessOf(application: Described, school: Described): Sameness[] {
  const same: Sameness[] = []
  if (application.udiseCode !== '' && application.udiseCode === school.udiseCode) same.push('udise')
  if (application.affiliationNo !== '' && application.affiliationNo === school.affiliationNo)
    same.push('affiliation')
  if (foldName(application.name) === foldName(school.name)) same.push('name')
  else if (similarNames(application.name, school.name)) same.push('similar_name')
  if (application.pinCode === school.pinCode) same.push('pin')
  if (application.phone !== '' && application.phone === school.phone) same.push('phone')
  return same
}

/** How likely two are one, for the order in which they are shown; a pin code alone says too little to show. */
export function likelihood(same: readonly Sameness[]): number {
  if (same.length === 1 && (same[0] === 'pin' || same[0] === 'similar_name')) return 0
  return same.reduce((sum, kind) => sum + weight[kind], 0)
}

/** The three letters with which the code of a school of this name begins. */
export function codeLetters(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z ]/g, '')
    .toUpperCase()
    .split(/\s+/)
    .filter(Boolean)
  const initials = plain.map((word) => word.charAt(0)).join('')
  return `${initials.length >= 3 ? initials : plain.join('')}XXX`.slice(0, 3)
}

/** The code of a new school: three letters of its name and a number that no other has, like VNK0417. */
export function schoolCode(name: string, serial: number): string {
  return codeLetters(name) + String(serial).padStart(4, '0')
}
