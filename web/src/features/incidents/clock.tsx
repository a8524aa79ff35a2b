import type { IncidentClock } from '@podium/contract/incidents'
import { Badge } from '#ui/badge.tsx'
import { words } from './words.ts'

const hour = 60
const day = 24 * hour

/** Minutes in words: «2 d 5 h», «4 h 12 min», «12 min». */
export function useSpan(): (minutes: number) => string {
  const t = words.use()
  return (minutes) => {
    const n = Math.abs(minutes)
    if (n >= 2 * day) return t('daysHours', { d: Math.floor(n / day), h: Math.floor((n % day) / hour) })
    if (n >= hour) return t('hoursMinutes', { h: Math.floor(n / hour), m: n % hour })
    return t('minutes', { m: n })
  }
}

/** How long is left of a clock, by how much it has run over, or what became of its report. */
export function ClockBadge({ clock }: { clock: IncidentClock }) {
  const t = words.use()
  const span = useSpan()
  const { outcome, late, left } = clock
  if (outcome === 'needless') return <Badge kind="no">{t('needless')}</Badge>
  if (outcome === 'made')
    return (
      <Badge kind={late ? 'doubt' : 'yes'}>
        {late ? t('reportedLate', { span: span(left) }) : t('reportedInTime')}
      </Badge>
    )
  if (late)
    return (
      <Badge tone="bad" icon="warning">
        {t('overdue', { span: span(left) })}
      </Badge>
    )
  return <Badge kind="waiting">{t('left', { span: span(left) })}</Badge>
}
