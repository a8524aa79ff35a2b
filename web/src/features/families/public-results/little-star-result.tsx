import type { PublicResult } from '@podium/contract/results/calls-public'
import { honoursOf, metalOf, olympiadName, pupilOf } from './olympiad.ts'
import { BigMedal, Footnote, Honours } from './parts.tsx'
import { words } from './words.ts'

/** The page of a little star: stars, no marks, no ranks; whoever took part shines. */
export function LittleStarResult({ of }: { of: PublicResult }) {
  const t = words.use()
  const stars = Math.max(1, Math.min(5, of.stars ?? 1))
  const said = { n: stars, name: of.name }
  const metal = metalOf(of.medal)
  const lines = honoursOf(of, t)
  return (
    <article className="rp little">
      <header className="rp-head">
        <p className="rp-event">{olympiadName(of, t)}</p>
        <Stars lit={stars} label={t('stars', said)} />
        <h1>{t('starsTitle', said)}</h1>
        <p className="rp-school">{pupilOf(of, t)}</p>
        <p className="rp-cheer">{t(`starWords${stars as 1 | 2 | 3 | 4 | 5}`)}</p>
        {metal && (
          <p className="rp-won">
            <BigMedal metal={metal} small />
            <b>{t(metal)}</b>
          </p>
        )}
      </header>
      <Honours lines={metal ? lines.slice(1) : lines} label={t('honours')} />
      <Footnote of={of} t={t} />
    </article>
  )
}

const five = [1, 2, 3, 4, 5]

function Stars({ lit, label }: { lit: number; label: string }) {
  return (
    <div className="rp-stars" role="img" aria-label={label}>
      {five.map((n) => (
        <svg key={n} className={n <= lit ? 'lit' : undefined} viewBox="-20 -20 40 40" aria-hidden="true">
          <path d="M0-17 5-6 17-5 8 3 11 15 0 9-11 15-8 3-17-5-5-6Z" />
        </svg>
      ))}
    </div>
  )
}
