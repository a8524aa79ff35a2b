import type { PublicResult } from '@podium/contract/results/calls-public'
import { formatDay, istDay } from '@podium/contract/season'
import { Icon } from '#ui/icon.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import type { MetalName } from './olympiad.ts'
import type { T } from './words.ts'

/** `15-Jan-2026`, in India. */
export const dayOf = (iso: string) => formatDay(istDay(new Date(iso)))

/** Grey bars until the result is there. */
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

/** The medal, large: ribbon, disc and the place in it. The words stand beside. */
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

/** Prizes, awards and the way on, a line each. */
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

/** When it was released, whether it was corrected, and who reads this page. */
export function Footnote({ of, t }: { of: PublicResult; t: T }) {
  return (
    <p className="rp-foot">
      {t('released', { day: dayOf(of.releasedAt) })} {of.version > 1 && t('corrected', { n: of.version })}{' '}
      {t('shortName')}
    </p>
  )
}
