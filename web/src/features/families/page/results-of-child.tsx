import './results.css'
import type { FamilyResult } from '@podium/contract/results/calls-family'
import { formatDay } from '@podium/contract/season'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { Note } from '#ui/note.tsx'
import { nameOf } from './results-reasons.ts'
import { ReleasedResult } from './results-released.tsx'
import { useResultsOf } from './results-store.ts'
import { type ResultT, resultWords } from './words-results.ts'

/** A child's results at the end of its card: what is out, newest first, and what is still to come. */
export function FamilyResults({ student }: { student: { individualRegId: number; studentName: string } }) {
  const t = resultWords.use()
  const kit = useKitWords()
  const say = useSentences()
  const { results, error, again } = useResultsOf(student.individualRegId)
  if (error) {
    return (
      <div className="kid-results">
        <Note kind="bad">
          <p>{say(error.message)}</p>
          {error.status !== 401 && <Button onClick={again}>{kit.tryAgain}</Button>}
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
      {results.map((one) => (
        <Result key={`${one.fyear} ${one.eventLetter} ${one.examLevel}`} one={one} t={t} />
      ))}
      <Awaited results={results} t={t} />
    </div>
  )
}

function Result({ one, t }: { one: FamilyResult; t: ResultT }) {
  if (one.result) return <ReleasedResult one={one} result={one.result} />
  if (one.state === 'awaited') return null
  return (
    <p className="kid-note">
      {t(one.state === 'released' ? 'none' : one.state, { subject: nameOf(one, t) })}
    </p>
  )
}

/** What is still to come, in one sentence for each day on which it is expected. */
function Awaited({ results, t }: { results: readonly FamilyResult[]; t: ResultT }) {
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
        {day === '' ? t('awaited', { subjects }) : t('awaitedFrom', { subjects, day: formatDay(day) })}
      </p>
    )
  })
}
