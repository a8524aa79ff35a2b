import type { EventRules, EventSection } from '@podium/contract/results/schemas'
import { markUnit } from '../rules.ts'

/** Statistics of a class's raw marks on one date, in ten-thousandths of a mark. */
export interface PaperFigures {
  class_id: number
  ordinal: number
  held_on: string
  sat: number
  schools: number
  mean: number
  deviation: number
  /** At 10, 25, 50, 75 and 90 percent */
  quantiles: number[]
}

/** Minimum number of students on each date for a comparison. */
export const minComparedStudents = 30
/** Effect size (difference of means by standard deviation) below which papers count as equal. */
const smallestEffect = 0.2
/** z-score for a 1 % chance of a false alarm. */
const surest = 2.58

/** The effect size of two dates, and whether it is both large and significant; null for too few students. */
export function comparePair(
  a: Pick<PaperFigures, 'sat' | 'mean' | 'deviation'>,
  b: Pick<PaperFigures, 'sat' | 'mean' | 'deviation'>,
): { effect: number; differs: boolean } | null {
  if (a.sat < minComparedStudents || b.sat < minComparedStudents) return null
  const difference = a.mean - b.mean
  const pooled = Math.sqrt(
    ((a.sat - 1) * a.deviation ** 2 + (b.sat - 1) * b.deviation ** 2) / (a.sat + b.sat - 2),
  )
  if (pooled === 0) return { effect: 0, differs: difference !== 0 }
  const error = Math.sqrt(a.deviation ** 2 / a.sat + b.deviation ** 2 / b.sat)
  const effect = difference / pooled
  return { effect, differs: Math.abs(effect) >= smallestEffect && Math.abs(difference) >= surest * error }
}

const marks = (units: number) => Math.round((units / markUnit) * 100) / 100

/** The comparison stored with a version: marks in hundredths, in class order; empty if all sat on one date. */
export function comparePapers(figures: readonly PaperFigures[]) {
  if (new Set(figures.map(({ ordinal }) => ordinal)).size < 2) return []
  const classIds = [...new Set(figures.map(({ class_id }) => class_id))]
  return classIds.map((classId) => {
    const papers = figures.filter(({ class_id }) => class_id === classId)
    const [first, second] = papers
    const compared = first && second ? comparePair(first, second) : null
    return {
      classId,
      effect: compared === null ? null : Math.round(compared.effect * 100) / 100,
      differs: compared?.differs ?? false,
      papers: papers.map(({ ordinal, held_on, sat, schools, mean, quantiles }) => {
        const [p10 = 0, lower = 0, median = 0, upper = 0, p90 = 0] = quantiles.map(marks)
        return {
          ordinal,
          heldOn: held_on,
          sat,
          schools,
          mean: marks(mean),
          ...{ p10, lower, median, upper, p90 },
        }
      }),
    }
  })
}
export type ComparedClass = ReturnType<typeof comparePapers>[number]

const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)

/** The tie-break sections that the event has; its own order if none remain. */
function tieBreakFor(
  wanted: readonly string[],
  tieBreak: readonly string[],
  sections: readonly EventSection[],
) {
  const known = wanted.filter((name) => sections.some((section) => section.name === name))
  return known.length > 0 ? known : [...tieBreak]
}

/**
 * The rules for trying another event: its own, with the changes from `current` to `edited`. Eligibility for a next level is only
 * tried if the event has one, because that is decided for each subject.
 */
export function rulesTried(
  eventRules: EventRules,
  sections: readonly EventSection[],
  current: EventRules,
  edited: EventRules,
): EventRules {
  const changed = (key: keyof EventRules) => differs(current[key], edited[key])
  return {
    tieBreak: changed('tieBreak')
      ? tieBreakFor(edited.tieBreak, eventRules.tieBreak, sections)
      : eventRules.tieBreak,
    medals: changed('medals') ? edited.medals : eventRules.medals,
    ladders: changed('ladders') ? edited.ladders : eventRules.ladders,
    onePrize: changed('onePrize') ? edited.onePrize : eventRules.onePrize,
    nextLevel:
      changed('nextLevel') && eventRules.nextLevel !== null ? edited.nextLevel : eventRules.nextLevel,
  }
}

/** For the same subject's earlier event: the edited rules, with a tie-break that fits its sections. */
export function rulesOfEarlier(
  eventRules: EventRules,
  sections: readonly EventSection[],
  edited: EventRules,
): EventRules {
  return { ...edited, tieBreak: tieBreakFor(edited.tieBreak, eventRules.tieBreak, sections) }
}
