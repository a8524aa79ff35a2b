import type { CheckKind, SignOffCheck, SignOffReason } from '@podium/contract/students/calls-sign-off'

/** A student of a list, or of the school, as far as the checks look at them. */
export interface ListedStudent {
  id: number
  studentName: string
  /** Folded: lower case, without accents and signs */
  nameKey: string
  classId: number
  className: string
  section: string
  rollNo: number
  /** A mobile is known that is not just digits to fill the column */
  reachable: boolean
  paid: boolean
  /** Nothing is payable: it counts as paid once the list is signed off */
  free: boolean
  /** The registration fee is with the foundation, to be verified */
  sent: boolean
}

/** What the checks of one list are decided by. */
export interface ListFacts {
  students: readonly ListedStudent[]
  /** Active students of the whole school by class and section, `placeKey` */
  sections: ReadonlyMap<string, number>
  /** Offline with dates on offer, and none of them chosen */
  undated: boolean
  /** Active contacts of the season */
  contacts: number
  /** Somebody of the school is its coordinator */
  coordinated: boolean
}

const mostShown = 50

export const sectionKey = (one: Pick<ListedStudent, 'classId' | 'section'>) => `${one.classId} ${one.section}`

/** The same child under `Aarav Sharma` and `Sharma, Aarav`: its class and the words of its name in any order. */
const twinKey = (one: ListedStudent) => `${one.classId} ${one.nameKey.split(' ').toSorted().join(' ')}`

function check(
  kind: CheckKind,
  found: readonly ListedStudent[],
  otherOf: (one: ListedStudent) => string = () => '',
): SignOffCheck[] {
  if (found.length === 0) return []
  const students = found.slice(0, mostShown).map((one) => {
    const { id, studentName, classId, className, section, rollNo } = one
    return { id, studentName, classId, className, section, rollNo, other: otherOf(one) }
  })
  return [{ kind, count: found.length, students }]
}

const ofSchool = (kind: CheckKind, missing: boolean): SignOffCheck[] =>
  missing ? [{ kind, count: 0, students: [] }] : []

/** What is missing in a list, the weightiest first. None of it forbids to sign: the coordinator knows the school. */
export function checksOf(facts: ListFacts): SignOffCheck[] {
  const { students, sections } = facts
  const twins = Map.groupBy(students, twinKey)
  const twinsOf = (one: ListedStudent) =>
    (twins.get(twinKey(one)) ?? []).filter((other) => other.id !== one.id)
  const place = ({ className, section, rollNo }: ListedStudent) =>
    `${className}${section === '-' ? '' : ` ${section}`}, ${rollNo}`
  return [
    ...check(
      'unpaid',
      students.filter((one) => !one.paid && !one.sent && !one.free),
    ),
    ...check(
      'waiting',
      students.filter((one) => one.sent),
    ),
    ...check(
      'mobile',
      students.filter((one) => !one.reachable),
    ),
    ...check(
      'twins',
      students.filter((one) => twinsOf(one).length > 0),
      (one) => {
        const [other] = twinsOf(one)
        return other ? `${other.studentName}, ${place(other)}` : ''
      },
    ),
    ...check(
      'lonely',
      students.filter((one) => isLonely(one, sections)),
    ),
    ...ofSchool('date', facts.undated),
    ...ofSchool('contact', facts.contacts === 0),
    ...ofSchool('coordinator', !facts.coordinated),
  ]
}

/** Alone in a section whose class has others: most likely the section was mistyped. */
function isLonely(one: ListedStudent, sections: ReadonlyMap<string, number>): boolean {
  if ((sections.get(sectionKey(one)) ?? 0) !== 1) return false
  return [...sections].some(
    ([key, count]) => key.startsWith(`${one.classId} `) && key !== sectionKey(one) && count > 1,
  )
}

/** What decides whether a list may be signed off or opened again. Days are IST days. */
export interface SignFacts {
  /** An officer acts for the school */
  acting: boolean
  coordinator: boolean
  seasonOpen: boolean
  totalStudent: number
  closesOn: string
}

/** Why a list can't be signed off now, or undefined. */
export function reasonAgainstSigning({
  acting,
  coordinator,
  seasonOpen,
  totalStudent,
}: SignFacts): SignOffReason | undefined {
  if (acting) return 'access.acting'
  if (!coordinator) return 'signoff.not_coordinator'
  if (!seasonOpen) return 'enrolment.season_closed'
  return totalStudent === 0 ? 'signoff.no_students' : undefined
}

/** Why a list can't be opened again now, or undefined: after its last day nothing could be changed in it anyway. */
export function reasonAgainstReopening(
  { acting, coordinator, seasonOpen, closesOn }: SignFacts,
  today: string,
): SignOffReason | undefined {
  if (acting) return 'access.acting'
  if (!coordinator) return 'signoff.not_coordinator'
  if (!seasonOpen) return 'enrolment.season_closed'
  return today > closesOn ? 'enrolment.closed' : undefined
}
