import { studentsBySubject } from '@podium/contract/dashboard'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { BarChart } from '#ui/bar-chart.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words.ts'

interface Counted {
  eventLetter: string
  subjectName: string
  littleStar: boolean
  total: number
  paid: number
}

/** Little-star subjects share one bar: a school has few children in each. */
function barsOf(counted: readonly Counted[], littleName: (n: number) => string) {
  const bar = (key: string, label: string, total: number, paid: number) => ({
    key,
    label,
    solid: paid,
    hatched: total - paid,
  })
  const upper = counted
    .filter((c) => !c.littleStar)
    .map((c) => bar(c.eventLetter, c.subjectName, c.total, c.paid))
  const little = counted.filter((c) => c.littleStar)
  if (little.length === 0) return upper
  const sum = (of: (c: Counted) => number) => little.reduce((total, c) => total + of(c), 0)
  return [
    ...upper,
    bar(
      'little',
      littleName(little.length),
      sum((c) => c.total),
      sum((c) => c.paid),
    ),
  ]
}

/** Students in each subject, paid and not yet paid, as bars or as a table. */
export function SubjectsPanel() {
  const t = words.use()
  const season = useSeason()
  const subjects = useEndpoint(studentsBySubject, { query: { FYear: season } })
  const counted = subjects.data?.data
  if (!counted || counted.length === 0) {
    return (
      <Panel title={t('bySubject')} padded={!subjects.isError}>
        {subjects.isPending && <Skeleton shape="text" rows={5} />}
        {subjects.isError && <LoadProblem error={subjects.error} retry={() => subjects.refetch()} />}
        {counted?.length === 0 && <p className="quiet">{t('noStudents')}</p>}
      </Panel>
    )
  }
  return (
    <BarChart
      title={t('bySubject')}
      bars={barsOf(counted, (n) => t('littleStar', { n }))}
      solidName={t('paid')}
      hatchedName={t('unpaid')}
      labelName={t('subject')}
      totalName={t('all')}
    />
  )
}
