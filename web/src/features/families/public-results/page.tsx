import './result-page.css'
import { lazy, useEffect } from 'react'
import { pageTitle } from '#ui/portal.ts'
import { publicResult } from './calls.ts'
import { LittleStarResult } from './little-star-result.tsx'
import { OlympiadResult } from './olympiad-result.tsx'
import { Loading } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import { words } from './words.ts'

const NoResult = lazy(() => import('./states.tsx').then((m) => ({ default: m.NoResult })))
const Problem = lazy(() => import('./states.tsx').then((m) => ({ default: m.Problem })))
const PageActions = lazy(() => import('./page-actions.tsx').then((m) => ({ default: m.PageActions })))

/** The public page of a result, behind the link that the school or the family has handed on. */
export function ResultPage({ id }: { id: string }) {
  const t = words.use()
  const { data, error, again } = useAnswer(publicResult, { id })
  const result = data?.data ?? undefined
  useEffect(() => {
    if (result) document.title = pageTitle(t('title', { name: result.name }))
  }, [result, t])
  // A link that was cut short does not even look like one.
  if (error && ['not_found', 'input.invalid'].includes(error.code)) return <NoResult state="unknown" />
  if (error) return <Problem message={error.message} retry={again} />
  if (!data) return <Loading />
  if (!result) return <NoResult state={data.state === 'over' ? 'over' : 'awaited'} />
  return (
    <>
      {result.littleStar ? <LittleStarResult of={result} /> : <OlympiadResult of={result} />}
      <PageActions name={result.name} />
    </>
  )
}
