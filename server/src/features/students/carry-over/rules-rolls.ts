import { className } from '@podium/contract/classes'
import { said } from '@podium/contract/sentences'
import type { Candidate, Present } from './rules-match.ts'

export interface GivenRoll {
  rollNo: number
  /** Who has the old roll no, where another one was given */
  instead: string | undefined
  /** Why a roll no that was typed can't be had */
  issue: string | undefined
}

const placeOf = ({ classId, section }: { classId: number; section: string }) => `${classId} ${section}`
const placeText = ({ classId, section }: { classId: number; section: string }) =>
  `${className(classId)}${section === '-' ? '' : ` ${section}`}`

/** Names of the owners of roll nos in each class and section, and the highest one. */
class Register {
  readonly #owners = new Map<string, string>()
  readonly #highest = new Map<string, number>()

  owner(place: string, rollNo: number): string | undefined {
    return this.#owners.get(`${place} ${rollNo}`)
  }

  give(place: string, rollNo: number, name: string): void {
    this.#owners.set(`${place} ${rollNo}`, name)
    this.#highest.set(place, Math.max(this.#highest.get(place) ?? 0, rollNo))
  }

  next(place: string): number {
    return (this.#highest.get(place) ?? 0) + 1
  }
}

/**
 * A roll no for each child: the one that was typed, else the old one where it is free, else the next one above the
 * highest of the class and section. Those who are entered already come first, then what was typed, then the children
 * who are proposed, then the others.
 */
export function assignRolls(
  coming: readonly Candidate[],
  present: readonly Present[],
  proposed: (one: Candidate) => boolean,
): Map<Candidate, GivenRoll> {
  const register = new Register()
  const given = new Map<Candidate, GivenRoll>()
  for (const one of present) if (one.active) register.give(placeOf(one), one.rollNo, one.name)
  for (const one of coming) {
    if (one.typedRoll === undefined) continue
    const place = placeOf(one)
    const owner = register.owner(place, one.typedRoll)
    const issue = owner && said('rollTaken', { roll: one.typedRoll, place: placeText(one), name: owner })
    if (!owner) register.give(place, one.typedRoll, one.student.name)
    given.set(one, { rollNo: one.typedRoll, instead: undefined, issue })
  }
  const late: Candidate[] = []
  const rest = coming.filter((one) => one.typedRoll === undefined)
  for (const one of [...rest.filter(proposed), ...rest.filter((other) => !proposed(other))]) {
    const place = placeOf(one)
    const { rollNo, name } = one.student
    if (register.owner(place, rollNo) !== undefined) late.push(one)
    else {
      register.give(place, rollNo, name)
      given.set(one, { rollNo, instead: undefined, issue: undefined })
    }
  }
  for (const one of late) {
    const place = placeOf(one)
    const rollNo = register.next(place)
    const instead = register.owner(place, one.student.rollNo)
    register.give(place, rollNo, one.student.name)
    given.set(one, { rollNo, instead, issue: undefined })
  }
  return given
}
