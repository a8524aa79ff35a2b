import type { PublicResult, ShownRank } from '@podium/contract/results/calls-public'
import { useLanguage } from '#shell/language/language.ts'
import { ordinal } from '#shell/language/ordinal.ts'
import { count, honoursOf, metalOf, olympiadName, pupilOf } from './olympiad.ts'
import { BigMedal, Footnote, Honours } from './parts.tsx'
import { type T, words } from './words.ts'

/** The page of a result: what was won first, then ranks and score. */
export function OlympiadResult({ of }: { of: PublicResult }) {
  const t = words.use()
  const language = useLanguage()
  const metal = metalOf(of.medal)
  const own = of.ranks.find(({ scope }) => scope === 'class')
  const lines = honoursOf(of, t)
  return (
    <article className={`rp ${metal ?? 'plain'}`}>
      <header className="rp-head">
        <p className="rp-event">{olympiadName(of, t)}</p>
        {metal ? <BigMedal metal={metal} /> : <Laurel />}
        <h1>{of.name}</h1>
        <p className="rp-school">{pupilOf(of, t)}</p>
        {metal ? (
          <p className="rp-won">
            <b>{t(metal)}</b>
            {own && <span>{t('inClass', { rank: ordinal(own.rank, language), pool: count(own.pool) })}</span>}
          </p>
        ) : (
          lines.length === 0 && (
            <p className="rp-won">
              <b>{t('tookPart', { name: of.name })}</b>
              <span>{t('tookPartText')}</span>
            </p>
          )
        )}
      </header>
      <Honours lines={metal ? lines.slice(1) : lines} label={t('honours')} />
      {of.score && <Score score={of.score} t={t} />}
      {of.ranks.length > 0 && <Ranks ranks={of.ranks} t={t} />}
      <Footnote of={of} t={t} />
    </article>
  )
}

function Score({ score, t }: { score: NonNullable<PublicResult['score']>; t: T }) {
  const share = Math.max(0, Math.min(100, (100 * score.rawMarks) / score.maximumMarks))
  return (
    <section className="rp-part">
      <h2>{t('score')}</h2>
      <p className="rp-marks">{t('scored', { marks: score.rawMarks, maximum: score.maximumMarks })}</p>
      <div className="rp-bar" aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </div>
    </section>
  )
}

/** A share worth telling: the first quarter of those who were ranked, where there were twenty or more. */
function bestOf({ rank, pool }: ShownRank): number | undefined {
  const percent = Math.max(1, Math.ceil((100 * rank) / pool))
  return pool >= 20 && percent <= 25 ? percent : undefined
}

function Ranks({ ranks, t }: { ranks: readonly ShownRank[]; t: T }) {
  return (
    <section className="rp-part">
      <h2>{t('ranks')}</h2>
      <dl className="rp-ranks">
        {ranks.map((one) => {
          const best = bestOf(one)
          return (
            <div key={one.scope}>
              <dt>
                {t(`rank_${one.scope}`)}
                {one.place && <span>{one.place}</span>}
              </dt>
              <dd>
                <b>{count(one.rank)}</b> <span>{t('ofPool', { pool: count(one.pool) })}</span>
                {best !== undefined && <em>{t('best', { percent: best })}</em>}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

const leaves = Array.from({ length: 8 }, (_, n) => n)

/** Two branches and a star, for those who took part. */
function Laurel() {
  return (
    <svg className="rp-laurel" viewBox="-50 -50 100 100" aria-hidden="true">
      {[-1, 1].flatMap((side) =>
        leaves.map((leaf) => {
          const angle = 90 - side * (16 + leaf * 17)
          const [x, y] = [38 * Math.cos((angle * Math.PI) / 180), 38 * Math.sin((angle * Math.PI) / 180)]
          const turn = angle + (side > 0 ? -58 : 58)
          return (
            <ellipse
              key={`${side} ${leaf}`}
              className={leaf % 2 ? 'l' : undefined}
              rx="9"
              ry="3.4"
              transform={`translate(${x} ${y}) rotate(${turn})`}
            />
          )
        }),
      )}
      <path d="M0-17 5-6 17-5 8 3 11 15 0 9-11 15-8 3-17-5-5-6Z" />
    </svg>
  )
}
