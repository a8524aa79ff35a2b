import { editDistance } from '@podium/contract/fuzzy-match'
import { foldName } from '@podium/contract/names'

interface SchoolFacts {
  name: string
  pinCode: string
  phone: string
  udiseCode: string
  affiliationNo: string
}

type CommonFact = 'udise' | 'affiliation' | 'name' | 'pin' | 'phone' | 'similar_name'

const weight: Record<CommonFact, number> = {
  udise: 8,
  affiliation: 8,
  name: 4,
  phone: 3,
  similar_name: 2,
  pin: 2,
}

/** Words so common in school names that they do not distinguish schools. */
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

/** Whether at least half of the distinctive words of the shorter name occur in the other. */
function similarNames(first: string, second: string): boolean {
  const a = words(first)
  const b = words(second)
  const shared = [...a].filter((word) => b.has(word)).length
  return shared > 0 && shared * 2 >= Math.min(a.size, b.size)
}

/** Titles before a name, not part of it. */
const titles = new Set(['st', 'saint', 'shri', 'sri', 'smt', 'dr', 'no'])

/** The distinctive parts of a school's name; numbers separately, because school no. 1 is not no. 2. */
export interface DistinctiveName {
  words: readonly string[]
  numbers: readonly string[]
}

/** «D.A.V. Public School, Pune» → dav. Words of the town do not count, unless the name has no others. */
export function distinctiveName(name: string, town: string): DistinctiveName {
  const place = new Set(foldName(town).split(' '))
  const whole = foldName(name).replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, '')
  const all = [...words(whole)].filter((word) => (word.length > 1 || /\d/.test(word)) && !titles.has(word))
  const distinctive = all.filter((word) => !place.has(word))
  const found = distinctive.length > 0 ? distinctive : all
  return { words: found, numbers: found.filter((word) => /^\p{N}+$/u.test(word)) }
}

/** Whether two words differ by one typing error, which leaves the first or last letter correct. Not for numbers. */
const slipped = (a: string, b: string) =>
  Math.abs(a.length - b.length) <= 1 &&
  Math.min(a.length, b.length) >= 4 &&
  (a[0] === b[0] || a.at(-1) === b.at(-1)) &&
  !/\d/.test(a) &&
  editDistance(a, b, 1) === 1

/** Similarity of two names by their distinctive parts, 0 to 1. */
export function nameSimilarity(first: DistinctiveName, second: DistinctiveName): number {
  const bothNumbered = first.numbers.length > 0 && second.numbers.length > 0
  if (bothNumbered && !first.numbers.some((number) => second.numbers.includes(number))) return 0
  let shared = 0
  for (const word of first.words)
    if (second.words.some((twin) => word === twin || slipped(word, twin))) shared++
  return (2 * shared) / (first.words.length + second.words.length || 1)
}

/** What an application and an existing school have in common: UDISE code, affiliation number, name, PIN code. */
export function commonFacts(application: SchoolFacts, school: SchoolFacts): CommonFact[] {
  const same: CommonFact[] = []
  if (application.udiseCode !== '' && application.udiseCode === school.udiseCode) same.push('udise')
  if (application.affiliationNo !== '' && application.affiliationNo === school.affiliationNo)
    same.push('affiliation')
  if (foldName(application.name) === foldName(school.name)) same.push('name')
  else if (similarNames(application.name, school.name)) same.push('similar_name')
  if (application.pinCode === school.pinCode) same.push('pin')
  if (application.phone !== '' && application.phone === school.phone) same.push('phone')
  return same
}

/** Likelihood that two schools are the same, for sorting; a PIN code alone is too little to be shown. */
export function likelihood(same: readonly CommonFact[]): number {
  if (same.length === 1 && (same[0] === 'pin' || same[0] === 'similar_name')) return 0
  return same.reduce((sum, kind) => sum + weight[kind], 0)
}

/** The first three letters of the code for a school with this name. */
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

/** A new school's code: three letters of its name and a unique number, like VNK0417. */
export function schoolCode(name: string, serial: number): string {
  return codeLetters(name) + String(serial).padStart(4, '0')
}
