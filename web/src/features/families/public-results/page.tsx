import { formatNumber } from '@podium/contract/figures'
import { type PublicResult, publicResult, type ShownRank } from '@podium/contract/results/calls-public'
import { useEffect } from 'react'
import { useLanguage } from '#shell/language/language.ts'
import { ordinal } from '#shell/language/ordinal.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { lazyPart } from '#ui/lazy-part.ts'
import { pageTitle } from '#ui/portal.ts'
import {
  BigMedal,
  describeStudent,
  Footnote,
  Honours,
  honoursOf,
  Loading,
  metalOf,
  olympiadName,
  type T,
  useAnswer,
  words,
} from './parts.tsx'
import './result-page.css'

/** The page of a result: honours first, then ranks and score. */
function OlympiadResult({ result }: { result: PublicResult }) {
  const t = words.use()
  const language = useLanguage()
  const metal = metalOf(result.medal)
  const classRank = result.ranks.find(({ scope }) => scope === 'class')
  const lines = honoursOf(result, t)
  return (
    <article className={`rp ${metal ?? 'plain'}`}>
      <header className="rp-head">
        <p className="rp-event">{olympiadName(result, t)}</p>
        {metal ? <BigMedal metal={metal} /> : <Laurel />}
        <h1>{result.name}</h1>
        <p className="rp-school">{describeStudent(result, t)}</p>
        {metal ? (
          <p className="rp-won">
            <b>{t(metal)}</b>
            {classRank && (
              <span>{t('inClass', { rank: ordinal(classRank.rank, language), pool: classRank.pool })}</span>
            )}
          </p>
        ) : (
          lines.length === 0 && (
            <p className="rp-won">
              <b>{t('tookPart', { name: result.name })}</b>
              <span>{t('tookPartText')}</span>
            </p>
          )
        )}
      </header>
      <Honours lines={metal ? lines.slice(1) : lines} label={t('honours')} />
      {result.score && <Score score={result.score} t={t} />}
      {result.ranks.length > 0 && <Ranks ranks={result.ranks} t={t} />}
      <Footnote result={result} t={t} />
    </article>
  )
}

function Score({ score, t }: { score: NonNullable<PublicResult['score']>; t: T }) {
  const share = (100 * score.rawMarks) / score.maximumMarks
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

/** Returns a percentage worth showing: within the top quarter, if at least twenty students were ranked. */
function bestOf({ rank, pool }: ShownRank): number | undefined {
  const percent = Math.ceil((100 * rank) / pool)
  return pool >= 20 && percent <= 25 ? percent : undefined
}

function Ranks({ ranks, t }: { ranks: readonly ShownRank[]; t: T }) {
  return (
    <section className="rp-part">
      <h2>{t('ranks')}</h2>
      <dl className="rp-ranks">
        {ranks.map((shownRank) => {
          const best = bestOf(shownRank)
          return (
            <div key={shownRank.scope}>
              <dt>
                {t(`rank_${shownRank.scope}`)}
                {shownRank.place && <span>{translateSentence(shownRank.place)}</span>}
              </dt>
              <dd>
                <b>{formatNumber(shownRank.rank)}</b> <span>{t('ofPool', { pool: shownRank.pool })}</span>
                {best !== undefined && <em>{t('best', { percent: best })}</em>}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

const star = <path d="M0-17 5-6 17-5 8 3 11 15 0 9-11 15-8 3-17-5-5-6Z" />
const leaves = [0, 1, 2, 3, 4, 5, 6, 7]

/** Two branches and a star, for students who took part. */
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
      {star}
    </svg>
  )
}

/** The page of a little star: stars, no marks or ranks; everyone who took part shines. */
function LittleStarResult({ result }: { result: PublicResult }) {
  const t = words.use()
  const stars = Math.max(1, Math.min(5, result.stars ?? 1))
  const values = { n: stars, name: result.name }
  const metal = metalOf(result.medal)
  const lines = honoursOf(result, t)
  return (
    <article className="rp little">
      <header className="rp-head">
        <p className="rp-event">{olympiadName(result, t)}</p>
        <Stars lit={stars} label={t('stars', values)} />
        <h1>{t('starsTitle', values)}</h1>
        <p className="rp-school">{describeStudent(result, t)}</p>
        <p className="rp-cheer">{t(`starWords${stars as 1 | 2 | 3 | 4 | 5}`)}</p>
        {metal && (
          <p className="rp-won">
            <BigMedal metal={metal} small />
            <b>{t(metal)}</b>
          </p>
        )}
      </header>
      <Honours lines={metal ? lines.slice(1) : lines} label={t('honours')} />
      <Footnote result={result} t={t} />
    </article>
  )
}

const five = [1, 2, 3, 4, 5]

function Stars({ lit, label }: { lit: number; label: string }) {
  return (
    <div className="rp-stars" role="img" aria-label={label}>
      {five.map((n) => (
        <svg key={n} className={n <= lit ? 'lit' : undefined} viewBox="-20 -20 40 40" aria-hidden="true">
          {star}
        </svg>
      ))}
    </div>
  )
}

const NoResult = lazyPart(() => import('./rest.tsx'), 'NoResult')
const Problem = lazyPart(() => import('./rest.tsx'), 'Problem')
const PageActions = lazyPart(() => import('./rest.tsx'), 'PageActions')

/** `/r/<id>`: the public page of a result, behind the link that the school or the family has shared. */
export function ResultPage() {
  const t = words.use()
  const id = window.location.pathname.split('/')[2] ?? ''
  const { data, error, again: retry } = useAnswer(publicResult, { id })
  const result = data?.data ?? undefined
  useEffect(() => {
    if (result) document.title = pageTitle(t('title', { name: result.name }))
  }, [result, t])
  // A truncated link does not even have a valid format.
  if (error && ['not_found', 'input.invalid'].includes(error.code)) return <NoResult state="unknown" />
  if (error) return <Problem message={error.message} retry={retry} />
  if (!data) return <Loading />
  if (!result) return <NoResult state={data.state === 'over' ? 'over' : 'awaited'} />
  return (
    <>
      {result.littleStar ? <LittleStarResult result={result} /> : <OlympiadResult result={result} />}
      <PageActions name={result.name} />
    </>
  )
}
