import { reachesPercent } from '@podium/contract/figures'
import type { ShownRank } from '@podium/contract/results/calls-public'
import { type RankScope, rankScopes } from '@podium/contract/results/schemas'
import type { RankedResult } from '../why/rules.ts'

/** Days after the release for which a result's public link works (docs/security.md, T18). */
export const pageDays = 2 * 365

/** Whether the public page of a result released at this time is still available. */
export function pageOpen(releasedAt: Date, now: Date): boolean {
  return now.getTime() - releasedAt.getTime() < pageDays * 86_400_000
}

interface LinkParts {
  student_id: number
  link_secret: string
}

/**
 * The address of a result's public page. The secret has 122 random bits; the student's id before it is only for the lookup, so
 * that the secrets of a million results need no index.
 */
export function publicPage({ student_id, link_secret }: LinkParts): string {
  return `/r/${student_id.toString(36)}-${link_secret.replaceAll('-', '')}`
}

/** Splits a link's id, whose format the contract has checked. */
export function parseLink(id: string): LinkParts {
  const [student = '', secret = ''] = id.split('-')
  return { student_id: Number.parseInt(student, 36), link_secret: secret }
}

const graphemes = new Intl.Segmenter('hi', { granularity: 'grapheme' })

/** The first letter with its vowel sign in Indian scripts: `न` for नमूनावाला, `कि` for किरण. */
function initial(word: string): string {
  const letters = word.replace(/^[^\p{L}]+/u, '')
  const first = graphemes.segment(letters)[Symbol.iterator]().next()
  return first.done ? '' : `${first.value.segment.toUpperCase()}.`
}

const wordsOf = (name: string) => name.split(/\s+/).filter((word) => /\p{L}/u.test(word))

/** A child's name on public pages: first name and last initial, `Ishita N.` */
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

/** Minimum percentages for a little star's stars; everyone who took part has one. */
const starSteps = [
  [85, 5],
  [70, 4],
  [50, 3],
  [30, 2],
] as const

/** A little star's stars, 1 to 5, instead of score and ranks; marks and maximum in the same unit. */
export function starsOf(marks: number, maximum: number): number {
  return starSteps.find(([from]) => reachesPercent(marks, maximum, from))?.[1] ?? 1
}

type PublicRanks = Pick<RankedResult, 'state' | 'zone' | `${RankScope}_rank` | `${RankScope}_pool`>

/** The ranks shown in public, from class to international. */
export function shownRanks(row: PublicRanks): ShownRank[] {
  const places = { class: '', state: row.state, zonal: row.zone, olympiad: '' }
  return rankScopes.flatMap((scope) => {
    const rank = row[`${scope}_rank`]
    const pool = row[`${scope}_pool`]
    return rank === null || pool === null ? [] : [{ scope, place: places[scope], rank, pool }]
  })
}

/** Merit for a medal, prize or award; otherwise participation. */
export function certificateKind(won: {
  medal: string
  prize: string
  award: string
}): 'merit' | 'participation' {
  return won.medal === '' && won.prize === '' && won.award === '' ? 'participation' : 'merit'
}

/**
 * The ranks on a certificate: all on a certificate of merit; on one of participation only those in the upper half, so that no
 * one takes home a certificate of last place.
 */
export function certifiedRanks(kind: 'merit' | 'participation', ranks: readonly ShownRank[]): ShownRank[] {
  return ranks.filter(({ rank, pool }) => kind === 'merit' || rank * 2 <= pool)
}

/** A certificate number as printed: `K7M4-PQ2R-9XWA`. */
export function printedNumber(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1-')
}

/** Only https may be linked to (docs/security.md, T36). */
export function httpsOnly(link: string): string {
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : ''
}
