import { studentsByClass, studentsBySubject } from '@podium/contract/dashboard/calls'
import { type ReactNode, useState } from 'react'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { type Bar, BarChart } from '#ui/bar-chart.tsx'
import { Segmented } from '#ui/button.tsx'
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

const bar = (key: string, label: string, total: number, paid: number): Bar => ({
  key,
  label,
  solid: paid,
  hatched: total - paid,
})

/** Little-star subjects share one bar: a school has few children in each. */
function barsOf(counted: readonly Counted[], littleName: (n: number) => string): Bar[] {
  const upper = counted
    .filter((c) => !c.littleStar)
    .map((c) => bar(c.eventLetter, translateSentence(c.subjectName), c.total, c.paid))
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

/** Students in each subject or in each class, paid and not yet paid, as bars or as a table. */
export function SubjectsPanel() {
  const t = words.use()
  const [by, setBy] = useState<'subject' | 'class'>('subject')
  const choice = (
    <div className="chart-choice">
      <Segmented
        label={t('chartBy')}
        value={by}
        choices={[
          { value: 'subject', label: t('chartBySubject') },
          { value: 'class', label: t('chartByClass') },
        ]}
        onChange={setBy}
      />
    </div>
  )
  return by === 'subject' ? <BySubject choice={choice} /> : <ByClass choice={choice} />
}

function BySubject({ choice }: { choice: ReactNode }) {
  const t = words.use()
  const season = useSeason()
  const asked = useEndpoint(studentsBySubject, { query: { FYear: season } })
  const bars = asked.data && barsOf(asked.data.data, (n) => t('littleStar', { n }))
  return <Chart asked={asked} title={t('bySubject')} label={t('subject')} bars={bars} choice={choice} />
}

function ByClass({ choice }: { choice: ReactNode }) {
  const t = words.use()
  const season = useSeason()
  const asked = useEndpoint(studentsByClass, { query: { FYear: season } })
  const bars = asked.data?.data.map((c) =>
    bar(String(c.classId), translateSentence(c.className), c.total, c.paid),
  )
  return <Chart asked={asked} title={t('byClass')} label={t('class')} bars={bars} choice={choice} />
}

interface ChartProps {
  asked: { isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown }
  title: string
  /** Head of the table's first column */
  label: string
  bars: readonly Bar[] | undefined
  choice: ReactNode
}

function Chart({ asked, title, label, bars, choice }: ChartProps) {
  const t = words.use()
  if (!bars || bars.length === 0) {
    return (
      <Panel title={title} padded={!asked.isError}>
        {asked.isPending && <Skeleton shape="text" rows={5} />}
        {asked.isError && asked.error && <LoadProblem error={asked.error} retry={() => asked.refetch()} />}
        {bars?.length === 0 && <p className="quiet">{t('noStudents')}</p>}
      </Panel>
    )
  }
  return (
    <BarChart
      title={title}
      choice={choice}
      bars={bars}
      solidName={t('paid')}
      hatchedName={t('unpaid')}
      labelName={label}
      totalName={t('all')}
    />
  )
}
