import type { BookKind } from '@podium/contract/classes'

/** A student of last season, as carrying over needs it; lists are joined by commas. */
export interface LastStudent extends Record<BookKind, string> {
  id: number
  classId: number
  section: string
  rollNo: number
  name: string
  nameKey: string
  parentName: string
  parentEmail: string
  parentMobile: string
  /** The mobile that the school wrote, where the family has typed another one */
  familyMobile: string | null
  active: boolean
  subjectNames: string
  letters: string
  /** Names of the subjects whose second level released results invite to */
  level2: string
}

/** A student of last season on the way into a class and section. */
export interface Candidate {
  student: LastStudent
  classId: number
  section: string
  typedRoll: number | undefined
}

/** A student of this season: active, or deleted after it was carried over. */
export interface Present {
  id: number
  classId: number
  section: string
  rollNo: number
  name: string
  nameKey: string
  parentMobile: string
  active: boolean
  carriedFrom: number | null
}

export interface Match {
  present: Present
  /** The same child for certain; else somebody who may be it */
  sure: boolean
}

type Test = (one: Candidate, present: Present) => boolean

const sameMobile: Test = ({ student }, present) =>
  student.parentMobile !== '' && student.parentMobile === present.parentMobile
const sameName: Test = ({ student }, present) => student.nameKey === present.nameKey
const sameClass: Test = ({ classId }, present) => classId === present.classId

/** From the surest sign to the weakest; a student of this season is taken for one child only. */
const signs: ReadonlyArray<{ sure: boolean; test: Test }> = [
  { sure: true, test: ({ student }, present) => present.active && present.carriedFrom === student.id },
  { sure: true, test: (...both) => both[1].active && sameName(...both) && sameMobile(...both) },
  { sure: false, test: (...both) => both[1].active && sameClass(...both) && sameName(...both) },
  // A family's only other child of that class: perhaps the name was spelt another way.
  { sure: false, test: (...both) => both[1].active && sameClass(...both) && sameMobile(...both) },
  { sure: false, test: ({ student }, present) => present.carriedFrom === student.id },
]

/** Who of last season's children is in this season already, for certain or perhaps. */
export function match(coming: readonly Candidate[], present: readonly Present[]): Map<Candidate, Match> {
  const byKey = new Map<string, Present[]>()
  for (const one of present)
    for (const key of keysOf(one.nameKey, one.parentMobile, one.carriedFrom)) {
      const known = byKey.get(key)
      if (known) known.push(one)
      else byKey.set(key, [one])
    }
  const found = new Map<Candidate, Match>()
  const used = new Set<Present>()
  for (const { sure, test } of signs) {
    for (const one of coming) {
      if (found.has(one)) continue
      const { nameKey, parentMobile, id } = one.student
      const near = keysOf(nameKey, parentMobile, id).flatMap((key) => byKey.get(key) ?? [])
      const same = near.find((other) => !used.has(other) && test(one, other))
      if (!same) continue
      used.add(same)
      found.set(one, { present: same, sure })
    }
  }
  return found
}

function keysOf(nameKey: string, mobile: string, source: number | null): string[] {
  const keys = [`name ${nameKey}`]
  if (mobile !== '') keys.push(`mobile ${mobile}`)
  if (source !== null) keys.push(`source ${source}`)
  return keys
}
