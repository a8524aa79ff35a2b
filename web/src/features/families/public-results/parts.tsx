import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import type { PublicResult } from '@podium/contract/results/calls-public'
import { formatDay, istDay } from '@podium/contract/season'
import { useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords, type Translate } from '#shell/language/words.ts'
import { Icon } from '#ui/icon.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import type en from '#words/en/families-public-results.json'

/** The words of the pages that a shared link or a certificate opens. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/families-public-results.json'))

export type T = Translate<typeof en>

interface State<E extends Endpoint> {
  data?: Answer<E>
  error?: CallError
}

/** Loads an endpoint for a page without a query cache; sends nothing if `query` is undefined. */
export function useAnswer<E extends Endpoint>(endpoint: E, query: QueryOf<E> | undefined) {
  const [state, setState] = useState<State<E>>({})
  const [tries, setTries] = useState(0)
  const key = query && JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again
  useEffect(() => {
    setState({})
    if (key === undefined) return
    const leaving = new AbortController()
    call(endpoint, { query: JSON.parse(key) as QueryOf<E>, signal: leaving.signal }).then(
      (data) => setState({ data }),
      (cause) => {
        if (leaving.signal.aborted) return
        if (!(cause instanceof CallError)) throw cause
        setState({ error: cause })
      },
    )
    return () => leaving.abort()
  }, [endpoint, key, tries])
  return { ...state, again: () => setTries(tries + 1) }
}

type Olympiad = Pick<PublicResult, 'subjectName' | 'fyear' | 'examLevel'>

/** Returns `Mathematics Olympiad 2025-26`, with the level if above the first. */
export function olympiadName({ subjectName, fyear, examLevel }: Olympiad, t: T): string {
  const values = { subject: subjectName, season: fyear, level: examLevel }
  return t(examLevel > 1 ? 'olympiadLevel' : 'olympiad', values)
}

const metals = { Gold: 'gold', Silver: 'silver', Bronze: 'bronze' } as const
type MetalName = (typeof metals)[keyof typeof metals]

/** The medal as the UI kit and the words name it; undefined without a medal. */
export const metalOf = (medal: string): MetalName | undefined => metals[medal as keyof typeof metals]

const littleClasses = { Nursery: 'nursery', LKG: 'lkg', UKG: 'ukg' } as const

/** Returns class, school and city, in the page's language. */
export function describeStudent({ className, schoolName, city }: PublicResult, t: T): string {
  const littleClass = littleClasses[className as keyof typeof littleClasses]
  const shown = littleClass ? t(littleClass) : t('classN', { n: className.replace('Class ', '') })
  return `${shown}, ${schoolName}, ${city}`
}

/** Returns everything won, one line each: medal, prize, award, the next level. */
export function honoursOf(
  result: Pick<PublicResult, 'medal' | 'prize' | 'award' | 'goesOnTo'>,
  t: T,
): string[] {
  const metal = metalOf(result.medal)
  return [
    metal ? t(metal) : '',
    result.prize,
    result.award === result.prize ? '' : result.award,
    result.goesOnTo === null ? '' : t('level', { level: result.goesOnTo }),
  ]
    .filter(Boolean)
    .map(translateSentence)
}

/** Returns `15-Jan-2026`, in IST. */
export const dayOf = (iso: string) => formatDay(istDay(new Date(iso)))

/** Placeholder bars until the result is loaded. */
export function Loading() {
  const words = useKitWords()
  return (
    <div className="rp-wait" role="status" aria-busy="true" aria-label={words.loading}>
      <div className="skel" />
      <div className="skel" />
      <div className="skel" />
    </div>
  )
}

const places = { gold: '1', silver: '2', bronze: '3' } as const

/** A large medal: ribbon, disc and place. The words are beside it. */
export function BigMedal({ metal, small }: { metal: MetalName; small?: boolean }) {
  return (
    <svg className={`rp-medal ${metal}${small ? ' small' : ''}`} viewBox="0 0 40 48" aria-hidden="true">
      <path className="rib" d="M8 0h10l4 16h-8zM32 0H22l-4 16h8z" />
      <circle className="disc" cx="20" cy="31" r="15" strokeWidth="2" />
      <circle className="ring" cx="20" cy="31" r="11.5" />
      <text x="20" y="37">
        {places[metal]}
      </text>
    </svg>
  )
}

/** Prizes, awards and the next level, one line each. */
export function Honours({ lines, label }: { lines: readonly string[]; label: string }) {
  if (lines.length === 0) return null
  return (
    <ul className="rp-honours" aria-label={label}>
      {lines.map((line) => (
        <li key={line}>
          <Icon name="medal" />
          {line}
        </li>
      ))}
    </ul>
  )
}

/** When it was released, whether it was corrected, and who can see this page. */
export function Footnote({ result, t }: { result: PublicResult; t: T }) {
  return (
    <p className="rp-foot">
      {t('released', { day: dayOf(result.releasedAt) })}{' '}
      {result.version > 1 && t('corrected', { n: result.version })} {t('shortName')}
    </p>
  )
}
