import './late.css'
import { type LateFeeNotification, lateFees } from '@podium/contract/catalogue/calls-events'
import { formatRupees } from '@podium/contract/money'
import { addDays, istDay } from '@podium/contract/season'
import { useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type en from '#words/en/late.json'
import { dayText, keepDatesTogether } from '../format.tsx'
import { defineWords } from '../language/words.ts'
import { useEndpoint } from '../query.ts'
import '#ui/note.css'

const words = defineWords<typeof en>(import.meta.glob('#words/*/late.json'))

/** A closed note stays hidden until tomorrow; a new fee shows it again. */
const storageName = 'podium.late-fees'
const versionOf = (fees: readonly LateFeeNotification[]) =>
  `${istDay(new Date())} ${fees.map(({ from, fee, inForce }) => `${from} ${fee} ${inForce}`).join(', ')}`

/** A line with the season's late fees, current and coming, shown where fees arise. Empty if there are none. */
export function LateNote({ season }: { season: string }) {
  const t = words.use()
  const { data, isPending } = useEndpoint(lateFees, { query: { FYear: season } })
  const [hidden, setHidden] = useState(() => localStorage.getItem(storageName))
  if (isPending) return <Skeleton shape="text" rows={0} />
  if (!data || data.data.length === 0 || hidden === versionOf(data.data)) return null
  const hide = () => {
    localStorage.setItem(storageName, versionOf(data.data))
    setHidden(versionOf(data.data))
  }
  return (
    <div className="late-note note due no-print">
      <Icon name="clock" />
      <details>
        <summary>
          {keepDatesTogether(t('line', { fees: data.data.map((late) => formatLateFee(t, late)).join('; ') }))}{' '}
          <span className="lk">{t('details')}</span>
        </summary>
        {data.data.map((late) => (
          <LateFeeText key={`${late.from}${late.fee}`} late={late} />
        ))}
      </details>
      <IconButton icon="close" label={t('hide')} onClick={hide} />
    </div>
  )
}

/** Formats «Environment ₹25 now», «Mathematics, Science ₹50 from 18-Dec-2026». */
function formatLateFee(
  t: ReturnType<typeof words.use>,
  { from, fee, subjects, inForce, all }: LateFeeNotification,
): string {
  const names = all ? t('all') : subjects.join(', ')
  return t(inForce ? 'shortNow' : 'shortUpcoming', { names, fee: formatRupees(fee), day: dayText(from) })
}

function LateFeeText({ late: { from, fee, subjects, inForce, all } }: { late: LateFeeNotification }) {
  const t = words.use()
  const names = all ? t('all') : subjects.join(', ')
  const values = { day: dayText(from), last: dayText(addDays(from, -1)), fee: formatRupees(fee), names }
  return <p>{keepDatesTogether(t(inForce ? 'now' : 'upcoming', values))}</p>
}
