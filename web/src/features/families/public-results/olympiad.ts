import type { PublicResult } from '@podium/contract/results/calls-public'
import { translateSentence } from '#shell/language/sentences.ts'
import type { T } from './words.ts'

type Olympiad = Pick<PublicResult, 'subjectName' | 'fyear' | 'examLevel'>

/** `Mathematics Olympiad 2025-26`, with the level where it is a later one. */
export function olympiadName({ subjectName, fyear, examLevel }: Olympiad, t: T): string {
  const said = { subject: subjectName, season: fyear, level: examLevel }
  return t(examLevel > 1 ? 'olympiadLevel' : 'olympiad', said)
}

const metals = { Gold: 'gold', Silver: 'silver', Bronze: 'bronze' } as const
export type MetalName = (typeof metals)[keyof typeof metals]

/** The metal by which the kit and the words know a medal; undefined where none was won. */
export const metalOf = (medal: string): MetalName | undefined => metals[medal as keyof typeof metals]

const little = { Nursery: 'nursery', LKG: 'lkg', UKG: 'ukg' } as const

/** Class, school and city, in the page's language. */
export function pupilOf({ className, schoolName, city }: PublicResult, t: T): string {
  const own = little[className as keyof typeof little]
  const shown = own ? t(own) : t('classN', { n: className.replace('Class ', '') })
  return `${shown}, ${schoolName}, ${city}`
}

/** Everything won, as lines of words: medal, prize, award, the way to the next level. */
export function honoursOf(of: Pick<PublicResult, 'medal' | 'prize' | 'award' | 'goesOnTo'>, t: T): string[] {
  const metal = metalOf(of.medal)
  return [
    metal ? t(metal) : '',
    of.prize,
    of.award === of.prize ? '' : of.award,
    of.goesOnTo === null ? '' : t('level', { level: of.goesOnTo }),
  ]
    .filter(Boolean)
    .map(translateSentence)
}
