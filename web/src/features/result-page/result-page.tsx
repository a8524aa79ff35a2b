import './result-page.css'
import { publicResult } from '@podium/contract/results-public'
import { useEffect } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LittleStarResult } from './little-star-result.tsx'
import { OlympiadResult } from './olympiad-result.tsx'
import { PageActions } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import { words } from './words.ts'

/** The public page of a result, behind the link that the school or the family has handed on. */
export function ResultPage({ id }: { id: string }) {
  const t = words.use()
  const say = useSentences()
  const { data, error, again } = useAnswer(publicResult, { id })
  const result = data?.data ?? undefined
  useEffect(() => {
    if (result) document.title = `${t('title', { name: result.name })} · Podium`
  }, [result, t])
  if (error && ['not_found', 'input.invalid'].includes(error.code)) {
    return (
      <EmptyState icon="search" level={1} title={t('unknownTitle')}>
        {t('unknown')}
      </EmptyState>
    )
  }
  if (error) return <ErrorState retry={again}>{say(error.message)}</ErrorState>
  if (!data) return <Skeleton shape="text" rows={8} />
  if (!result) {
    const over = data.state === 'over'
    return (
      <EmptyState icon={over ? 'lock' : 'clock'} level={1} title={t(over ? 'overTitle' : 'awaitedTitle')}>
        {t(over ? 'over' : 'awaited')}
      </EmptyState>
    )
  }
  return (
    <>
      {result.littleStar ? <LittleStarResult of={result} /> : <OlympiadResult of={result} />}
      <PageActions name={result.name} />
    </>
  )
}
