import { reachesPercent } from '@podium/contract/figures'
import type { ShownRank } from '@podium/contract/results/calls-public'
import { type RankScope, rankScopes } from '@podium/contract/results/schemas'
import type { RankedResult } from '../why/rules.ts'

/** Days for which the link of a result opens its public page, counted from the release (docs/security.md, T18). */
export const pageDays = 2 * 365

/** Whether the public page of a result that was released then may still be read. */
export function pageOpen(releasedAt: Date, now: Date): boolean {
  return now.getTime() - releasedAt.getTime() < pageDays * 86_400_000
}

interface Linked {
  student_id: number
  link_secret: string
}

/**
 * The address of a result's public page. The secret of 122 random bits opens it; the student's number before it only says
 * where to look, so that the secrets of a million results need no index of their own.
 */
export function publicPage({ student_id, link_secret }: Linked): string {
  return `/r/${student_id.toString(36)}-${link_secret.replaceAll('-', '')}`
}

/** The two halves of a link's id, which the contract has checked. */
export function parseLink(id: string): Linked {
  const [student = '', secret = ''] = id.split('-')
  return { student_id: Number.parseInt(student, 36), link_secret: secret }
}

const graphemes = new Intl.Segmenter('hi', { granularity: 'grapheme' })

/** The first letter, with what hangs on it in Indian scripts: `न` of नमूनावाला is `न`, `कि` of किरण is `कि`. */
function initial(word: string): string {
  const letters = word.replace(/^[^\p{L}]+/u, '')
  const first = graphemes.segment(letters)[Symbol.iterator]().next()
  return first.done ? '' : `${first.value.segment.toUpperCase()}.`
}

const wordsOf = (name: string) => name.split(/\s+/).filter((word) => /\p{L}/u.test(word))

/** A child's name for strangers: the first name and the initial of the last, `Ishita N.` */
export function publicName(name: string): string {
  const [first = '', ...others] = wordsOf(name)
  const last = others.at(-1)
  return last === undefined ? first : `${first} ${initial(last)}`
}

/** `I. N.` of Ishita Namunawala. */
export function initialsOf(name: string): string {
  const all = wordsOf(name)
  const ends = all.length > 1 ? [all[0], all.at(-1)] : all
  return ends.map((word) => initial(word ?? '')).join(' ')
}

/** From how many percent of the marks on a little star has so many stars; whoever took part has one. */
const starSteps = [
  [85, 5],
  [70, 4],
  [50, 3],
  [30, 2],
] as const

/** The stars of a little star, 1 to 5, in place of score and ranks; marks and maximum in one unit. */
export function starsOf(marks: number, maximum: number): number {
  return starSteps.find(([from]) => reachesPercent(marks, maximum, from))?.[1] ?? 1
}

type Ranked = Pick<RankedResult, 'state' | 'zone' | `${RankScope}_rank` | `${RankScope}_pool`>

/** The ranks as they are told outside the school, from the class to everywhere. */
export function shownRanks(row: Ranked): ShownRank[] {
  const places = { class: '', state: row.state, zonal: row.zone, olympiad: '' }
  return rankScopes.flatMap((scope) => {
    const rank = row[`${scope}_rank`]
    const pool = row[`${scope}_pool`]
    return rank === null || pool === null ? [] : [{ scope, place: places[scope], rank, pool }]
  })
}

/** A certificate of merit is for a medal, a prize or an award; every other child who sat has one of participation. */
export function certificateKind(won: {
  medal: string
  prize: string
  award: string
}): 'merit' | 'participation' {
  return won.medal === '' && won.prize === '' && won.award === '' ? 'participation' : 'merit'
}

/**
 * The ranks that a certificate names: all of them on one of merit; on one of participation those in the upper half alone,
 * so that nobody takes home the last place on fine paper.
 */
export function certifiedRanks(kind: 'merit' | 'participation', ranks: readonly ShownRank[]): ShownRank[] {
  return ranks.filter(({ rank, pool }) => kind === 'merit' || rank * 2 <= pool)
}

/** A certificate's number as it is printed: `K7M4-PQ2R-9XWA`. */
export function printedNumber(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1-')
}

/** Only https may be linked to (docs/security.md, T36). */
export function httpsOnly(link: string): string {
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : ''
}
