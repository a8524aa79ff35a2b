import { familyCertificate } from '@podium/contract/results/calls-certificates'
import { type FamilyReleased, type FamilyResult, familyResults } from '@podium/contract/results/calls-public'
import { formatDay } from '@podium/contract/season'
import { useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { type Language, useLanguage, useWrittenLanguage } from '#shell/language/language.ts'
import { ordinal } from '#shell/language/ordinal.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords, type Translate } from '#shell/language/words.ts'
import { token } from '#shell/session.ts'
import { Medal } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { Note } from '#ui/note.tsx'
import type en from '#words/en/families-results.json'

/** The words of a child's results on the family's page. */
export const resultWords = defineWords<typeof en>(import.meta.glob('#words/*/families-results.json'))

type ResultT = Translate<typeof en>

type ResultsRequest = Promise<ReadonlyMap<number, FamilyResult[]>>

/** One call returns the results of all children of a session; their cards share it. */
let cachedResults:
  | { token: string; results: ResultsRequest; loaded?: ReadonlyMap<number, FamilyResult[]> }
  | undefined

function loadResults(again: boolean): ResultsRequest {
  const sessionToken = token()
  if (again || cachedResults?.token !== sessionToken) {
    const results = call(familyResults).then(
      ({ data }) => new Map(data.map((child) => [child.individualRegId, child.results])),
    )
    const request: typeof cachedResults = { token: sessionToken, results }
    cachedResults = request
    results.then(
      (loaded) => {
        request.loaded = loaded
      },
      () => {
        cachedResults = undefined
      },
    )
  }
  return cachedResults.results
}

/**
 * Resolves once the results have arrived or failed, after two seconds at most: the page waits for it, so that no card
 * grows while the user taps.
 */
export const whenResultsLoaded = (): Promise<unknown> =>
  Promise.race([loadResults(false), new Promise((resolve) => setTimeout(resolve, 2_000))])

/** Returns the results of one child of the family that is signed in. */
function useResultsOf(individualRegId: number) {
  const [state, setState] = useState<{ results?: FamilyResult[]; error?: CallError }>(() =>
    cachedResults?.token === token() && cachedResults.loaded
      ? { results: cachedResults.loaded.get(individualRegId) ?? [] }
      : {},
  )
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isMounted = true
    loadResults(tries > 0).then(
      (all) => isMounted && setState({ results: all.get(individualRegId) ?? [] }),
      (cause) => {
        if (!(cause instanceof CallError)) throw cause
        if (isMounted) setState({ error: cause })
      },
    )
    return () => {
      isMounted = false
    }
  }, [individualRegId, tries])
  const retry = () => {
    setState({})
    setTries(tries + 1)
  }
  return { ...state, again: retry }
}

type Clause = NonNullable<FamilyReleased['eligibility']>['clauses'][number]

const metals = { Gold: 'gold', Silver: 'silver', Bronze: 'bronze' } as const
export type MetalName = (typeof metals)[keyof typeof metals]

/** The medal as the UI kit and the words name it; undefined without a medal. */
export const metalOf = (medal: string): MetalName | undefined => metals[medal as keyof typeof metals]

/** Returns `Mathematics, 2025-26`. */
export function nameOf(result: FamilyResult, t: ResultT): string {
  const values = { subject: result.subjectName, season: result.fyear, level: result.examLevel }
  return t(result.examLevel > 1 ? 'ofLevel' : 'of', values)
}

/** Explains a result in plain sentences; `**` marks the subject of each. */
export function reasonsOf(result: FamilyReleased, t: ResultT): string[] {
  return [
    ...(result.version > 1 ? [t('corrected', { n: result.version })] : []),
    ...describeScore(result, t),
    ...describeRanks(result, t),
    ...describeMedals(result, t),
    ...won(result, t),
    ...describeNextLevel(result, t),
  ]
}

function describeScore({ score }: FamilyReleased, t: ResultT): string[] {
  const list = score.sections.map(({ name, marks, maximum }) => t('section', { name, marks, maximum }))
  const sections = t('sections', { percent: score.percent, list: list.join(', ') })
  const weighted = score.marks > score.rawMarks
  return weighted ? [sections, t('weights', { score: score.marks.toFixed(4) })] : [sections]
}

function describeRanks({ ranks: all }: FamilyReleased, t: ResultT): string[] {
  const list = all.map(({ scope, rank, pool, place }) => t(`rank_${scope}`, { rank, pool, place }))
  return list.length > 0 ? [t('ranks', { list: list.join(', ') })] : []
}

function describeMedals({ medalRules, ranks: all }: FamilyReleased, t: ResultT): string[] {
  const inClass = all.find(({ scope }) => scope === 'class')
  if (medalRules.length === 0) return inClass ? [t('medalNone', { rank: inClass.rank })] : []
  return medalRules.map(({ medal, classRank, minimumPool, pool, met }) => {
    const metal = metalOf(medal)
    return t(met ? 'medalWon' : 'medalMissed', {
      medal: metal ? t(metal) : medal,
      rank: classRank,
      pool,
      needed: minimumPool,
    })
  })
}

function won({ won: all }: FamilyReleased, t: ResultT): string[] {
  return all.map(({ title, by, rank, passedOn }) => {
    const sentence = t('won', { title, scope: t(`scope_${by}`), rank })
    return passedOn ? `${sentence} ${t('passedOn')}` : sentence
  })
}

function describeNextLevel({ eligibility }: FamilyReleased, t: ResultT): string[] {
  if (!eligibility) return []
  const { level, eligible, classAllowed, clauses } = eligibility
  if (!classAllowed) return [t('levelClass', { level })]
  const met = clauses.find((clause) => clause.met)
  if (eligible && met) return [t('levelYes', { level, clause: describeClause(met, t) })]
  return [t('levelNo', { level, clauses: clauses.map((clause) => describeClause(clause, t)).join(t('or')) })]
}

const conditionWords = {
  rank: ['metRank', 'missedRank'],
  percent: ['metPercent', 'missedPercent'],
  pool: ['metPool', 'missedPool'],
} as const

/** Describes what a clause required and what was reached; for a clause not met, only what was missed. */
function describeClause(clause: Clause, t: ResultT): string {
  return clause.conditions
    .filter(({ needed, met }) => needed > 0 && (clause.met || !met))
    .map(({ what, needed, had, met }) => {
      const [metKey, missedKey] = conditionWords[what]
      return t(met ? metKey : missedKey, { scope: t(`scope_${clause.by}`), needed, had: had ?? '–' })
    })
    .join(t('and'))
}

/** A child's results at the end of the card: released ones, newest first, and those still to come. */
export function FamilyResults({ student }: { student: { individualRegId: number; studentName: string } }) {
  const t = resultWords.use()
  const kit = useKitWords()
  const translate = useSentences()
  const { results, error, again: retry } = useResultsOf(student.individualRegId)
  if (error) {
    return (
      <div className="kid-results">
        <Note kind="bad">
          <p>{translate(error.message)}</p>
          {error.status !== 401 && <Button onClick={retry}>{kit.tryAgain}</Button>}
        </Note>
      </div>
    )
  }
  if (!results) {
    return <div className="kid-results wait" role="status" aria-busy="true" aria-label={kit.loading} />
  }
  if (results.length === 0) return null
  return (
    <div className="kid-results">
      <h3>{t('title')}</h3>
      {results.map((entry) => (
        <Result key={`${entry.fyear} ${entry.eventLetter} ${entry.examLevel}`} entry={entry} t={t} />
      ))}
      <AwaitedResults results={results} t={t} />
    </div>
  )
}

function Result({ entry, t }: { entry: FamilyResult; t: ResultT }) {
  if (entry.result) return <ReleasedResult entry={entry} result={entry.result} />
  if (entry.state === 'awaited') return null
  return (
    <p className="kid-note">
      {t(entry.state === 'released' ? 'none' : entry.state, { subject: nameOf(entry, t) })}
    </p>
  )
}

/** Prevents line breaks within a date. */
const unbroken = (day: string) => day.replaceAll('-', '-\u2060')

/** Results still to come, in one sentence per expected date. */
function AwaitedResults({ results, t }: { results: readonly FamilyResult[]; t: ResultT }) {
  const days = new Map<string, string[]>()
  for (const { state, expectedOn, subjectName } of results) {
    if (state !== 'awaited') continue
    const day = expectedOn ?? ''
    days.set(day, [...(days.get(day) ?? []), subjectName])
  }
  return [...days].map(([day, names]) => {
    const subjects = names.join(', ')
    return (
      <p className="kid-note" key={day}>
        {day === ''
          ? t('awaited', { subjects })
          : t('awaitedFrom', { subjects, day: unbroken(formatDay(day)) })}
      </p>
    )
  })
}

interface ReleasedProps {
  entry: FamilyResult
  result: FamilyReleased
}

/** A released result: what was won, the reasons, a page to share, and the certificate. */
export function ReleasedResult({ entry, result }: ReleasedProps) {
  const t = resultWords.use()
  const language = useLanguage()
  const metal = metalOf(result.medal)
  const won = [result.prize, result.award === result.prize ? '' : result.award]
    .map(translateSentence)
    .filter((title) => title !== '' && title !== headlineOf(entry, result, t))
  const about = { subject: entry.subjectName, season: entry.fyear }
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
        <h4>{headlineOf(entry, result, t)}</h4>
        <p>
          {[nameOf(entry, t), factsOf(entry, result, t, language).join(', ')]
            .filter(Boolean)
            .map((part) => `${part}${language === 'hi' ? '।' : '.'}`)
            .join(' ')}
        </p>
        {won.map((title) => (
          <p className="kid-prize" key={title}>
            {title}
          </p>
        ))}
        {result.goesOnTo !== null && <p className="kid-next">{t('qualified', { level: result.goesOnTo })}</p>}
      </div>
      <details>
        <summary aria-label={t('whyOf', about)}>
          {t('why')}
          <Icon name="down" />
        </summary>
        <ul>
          {reasonsOf(result, t).map((reason) => (
            <li key={reason}>
              <BoldText text={reason} />
            </li>
          ))}
        </ul>
      </details>
      <ResultButtons entry={entry} result={result} />
    </article>
  )
}

/** Returns the highest honour; otherwise the stars, or the marks. */
function headlineOf(entry: FamilyResult, result: FamilyReleased, t: ResultT): string {
  const metal = metalOf(result.medal)
  if (metal) return t(metal)
  if (result.prize !== '') return translateSentence(result.prize)
  if (result.award !== '') return translateSentence(result.award)
  if (entry.littleStar && result.stars !== null) return t('stars', { n: result.stars })
  return t('marks', { marks: result.score.rawMarks, maximum: result.score.maximumMarks })
}

/** Returns stars, or ranks and marks, except what the headline already says. */
function factsOf(entry: FamilyResult, result: FamilyReleased, t: ResultT, language: Language): string[] {
  const headlineText = headlineOf(entry, result, t)
  if (entry.littleStar) return result.stars === null ? [] : [t('stars', { n: result.stars })]
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
  return all.filter((fact) => fact !== headlineText)
}

function ResultButtons({ entry, result }: ReleasedProps) {
  const t = resultWords.use()
  const translate = useSentences()
  const language = useWrittenLanguage()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const about = { subject: entry.subjectName, season: entry.fyear }
  const downloadCertificate = async () => {
    setBusy(true)
    setProblem('')
    try {
      await download(familyCertificate, { body: { resultId: result.resultId, language } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      // The session has ended: the page asks for the code again.
      if (cause.status === 401) return location.reload()
      setProblem(cause.code === 'network' ? t('offline') : translate(cause.message))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="kid-acts">
      {problem && <Note kind="bad">{problem}</Note>}
      <a className={buttonClass('secondary', 'wide')} href={result.resultLink} target="_blank" rel="noopener">
        <Icon name="share" />
        {t('see')}
      </a>
      <Button
        icon="download"
        wide
        busy={busy}
        aria-label={t('certificateOf', about)}
        onClick={() => void downloadCertificate()}>
        {t('certificate')}
      </Button>
      {result.couponLink.startsWith('https://') && (
        <a
          className={buttonClass('secondary', 'wide whole')}
          href={result.couponLink}
          target="_blank"
          rel="noopener noreferrer">
          {t('gift')}
        </a>
      )}
    </div>
  )
}

/** Renders `**strong**` words of a sentence in bold. */
function BoldText({ text }: { text: string }) {
  return text.split('**').map((part, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    n % 2 === 1 ? <b key={n}>{part}</b> : <span key={n}>{part}</span>,
  )
}
