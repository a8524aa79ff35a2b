import type { FamilyReleased, FamilyResult } from '@podium/contract/results/calls-family'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { type Language, useLanguage, useWrittenLanguage } from '#shell/language/language.ts'
import { ordinal } from '#shell/language/ordinal.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Medal } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { metalOf, nameOf, reasonsOf } from './results-reasons.ts'
import { takeCertificate } from './results-store.ts'
import { type ResultT, resultWords } from './words-results.ts'

interface ReleasedProps {
  one: FamilyResult
  result: FamilyReleased
}

/** A result that is out: what was won, the reasons, its page to share and its certificate. */
export function ReleasedResult({ one, result }: ReleasedProps) {
  const t = resultWords.use()
  const language = useLanguage()
  const metal = metalOf(result.medal)
  const won = [result.prize, result.award === result.prize ? '' : result.award].filter(
    (title) => title !== '' && title !== headline(one, result, t),
  )
  const about = { subject: one.subjectName, season: one.fyear }
  return (
    <article className="won kid-result">
      {metal ? (
        <Medal metal={metal} big label="" />
      ) : (
        <svg className="kid-star" viewBox="-20 -20 40 40" aria-hidden="true">
          <path d="M0-17 5-6 17-5 8 3 11 15 0 9-11 15-8 3-17-5-5-6Z" />
        </svg>
      )}
      <div>
        <h4>{headline(one, result, t)}</h4>
        <p>{[nameOf(one, t), facts(one, result, t, language).join(', ')].filter(Boolean).join('. ')}.</p>
        {won.map((title) => (
          <p className="kid-prize" key={title}>
            {title}
          </p>
        ))}
        {result.goesOnTo !== null && <p className="kid-next">{t('goesOn', { level: result.goesOnTo })}</p>}
      </div>
      <details>
        <summary aria-label={t('whyOf', about)}>
          {t('why')}
          <Icon name="down" />
        </summary>
        <ul>
          {reasonsOf(result, t).map((reason) => (
            <li key={reason}>
              <Strong text={reason} />
            </li>
          ))}
        </ul>
      </details>
      <ResultButtons one={one} result={result} />
    </article>
  )
}

/** The highest thing won; else the stars, else the marks. */
function headline(one: FamilyResult, result: FamilyReleased, t: ResultT): string {
  const metal = metalOf(result.medal)
  if (metal) return t(metal)
  if (result.prize !== '') return result.prize
  if (result.award !== '') return result.award
  if (one.littleStar && result.stars !== null) return t('stars', { n: result.stars })
  return t('marks', { marks: result.score.rawMarks, maximum: result.score.maximumMarks })
}

/** Stars, or ranks and marks, but for what stands in the headline already. */
function facts(one: FamilyResult, result: FamilyReleased, t: ResultT, language: Language): string[] {
  const said = headline(one, result, t)
  if (one.littleStar) return result.stars === null ? [] : [t('stars', { n: result.stars })]
  const { rawMarks: marks, maximumMarks: maximum } = result.score
  const place = (scope: 'class' | 'olympiad', words: 'inClass' | 'inOlympiad') =>
    result.ranks
      .filter((rank) => rank.scope === scope)
      .map(({ rank, pool }) => t(words, { rank: ordinal(rank, language), pool }))
  const all = [
    ...place('class', 'inClass'),
    ...place('olympiad', 'inOlympiad'),
    t('marks', { marks, maximum }),
  ]
  return all.filter((fact) => fact !== said)
}

function ResultButtons({ one, result }: ReleasedProps) {
  const t = resultWords.use()
  const say = useSentences()
  const language = useWrittenLanguage()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const about = { subject: one.subjectName, season: one.fyear }
  const take = async () => {
    setBusy(true)
    setProblem('')
    try {
      await download(takeCertificate, { body: { resultId: result.resultId, language } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(cause.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="kid-acts">
      {problem && <Note kind="bad">{say(problem)}</Note>}
      <a className={buttonClass('secondary', 'wide')} href={result.resultLink} target="_blank" rel="noopener">
        <Icon name="share" />
        {t('see')}
      </a>
      <Button
        icon="download"
        wide
        busy={busy}
        aria-label={t('certificateOf', about)}
        onClick={() => void take()}
      >
        {t('certificate')}
      </Button>
      {result.couponLink.startsWith('https://') && (
        <a
          className={buttonClass('secondary', 'wide whole')}
          href={result.couponLink}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('gift')}
        </a>
      )}
    </div>
  )
}

/** A sentence with its `**strong**` words. */
function Strong({ text }: { text: string }) {
  return text.split('**').map((part, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    n % 2 === 1 ? <b key={n}>{part}</b> : <span key={n}>{part}</span>,
  )
}
