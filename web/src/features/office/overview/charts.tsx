import { formatRupees } from '@podium/contract/money'
import type { SeasonFigures } from '@podium/contract/office/calls-overview'
import { useState } from 'react'
import { dayText } from '#shell/format.tsx'
import { BarChart } from '#ui/bar-chart.tsx'
import { Segmented } from '#ui/button.tsx'
import { ColumnChart } from '#ui/column-chart.tsx'
import { EmptyState } from '#ui/note.tsx'
import { words } from './words.ts'

type Plot = 'day' | 'state' | 'subject'

/** The season in bars by day, state and subject, each with its table. */
export function Plots({ figures }: { figures: SeasonFigures }) {
  const t = words.use()
  const [plot, setPlot] = useState<Plot>('day')
  if (figures.students === 0) return <EmptyState icon="users" title={t('nothingEntered')} />
  const choices = [
    { value: 'day', label: t('byDay') },
    { value: 'state', label: t('byState') },
    { value: 'subject', label: t('bySubject') },
  ] as const
  return (
    <div className="stack cockpit-plots">
      <div className="cockpit-choice">
        <Segmented label={t('plot')} value={plot} choices={choices} onChange={setPlot} />
      </div>
      {plot === 'day' && <Days figures={figures} />}
      {plot === 'state' && (
        <PaidBars
          title={t('stateTitle')}
          labelName={t('state')}
          rows={figures.states.map((one) => ({ ...one, key: one.state, label: one.state }))}
        />
      )}
      {plot === 'subject' && (
        <PaidBars
          title={t('subjectTitle')}
          labelName={t('subject')}
          rows={figures.subjects.map((one) => ({ ...one, key: one.letter, label: one.name }))}
        />
      )}
    </div>
  )
}

/** Entered and received side by side, day by day. */
function Days({ figures }: { figures: SeasonFigures }) {
  const t = words.use()
  const { days, money } = figures
  return (
    <div className="two">
      <ColumnChart
        title={t('dayTitle')}
        labelName={t('day')}
        solidName={t('students')}
        bars={days.map(({ day, students }) => ({ key: day, label: dayText(day), solid: students }))}
      />
      {money && (
        <ColumnChart
          title={t('moneyTitle')}
          labelName={t('day')}
          solidName={t('received')}
          says={formatRupees}
          bars={days.map(({ day, received }) => ({ key: day, label: dayText(day), solid: received }))}
        />
      )}
    </div>
  )
}

interface PaidProps {
  title: string
  labelName: string
  rows: readonly { key: string; label: string; students: number; paid: number }[]
}

function PaidBars({ title, labelName, rows }: PaidProps) {
  const t = words.use()
  return (
    <BarChart
      title={title}
      labelName={labelName}
      solidName={t('paid')}
      hatchedName={t('unpaid')}
      totalName={t('all')}
      bars={rows.map(({ key, label, students, paid }) => ({
        key,
        label,
        solid: paid,
        hatched: students - paid,
      }))}
    />
  )
}
