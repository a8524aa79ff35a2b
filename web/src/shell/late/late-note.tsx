import './late.css'
import { type LateFeeTold, lateFees } from '@podium/contract/catalogue/calls-late-fees'
import { formatRupees } from '@podium/contract/money'
import { addDays } from '@podium/contract/season'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { dayText } from '../format.tsx'
import { useEndpoint } from '../query.ts'
import { words } from './words.ts'

/** Late fees of the season, those to come and those that count, above the places where fees arise. Nothing without one. */
export function LateNote({ season }: { season: string }) {
  const { data, isPending } = useEndpoint(lateFees, { query: { FYear: season } })
  if (isPending) return <Skeleton shape="text" rows={0} />
  if (!data || data.data.length === 0) return null
  return (
    <div className="late-note">
      <Note kind="due">
        {data.data.map((late) => (
          <Told key={`${late.from}${late.fee}`} late={late} />
        ))}
      </Note>
    </div>
  )
}

function Told({ late: { from, fee, subjects, inForce, all } }: { late: LateFeeTold }) {
  const t = words.use()
  const names = all ? t('all') : subjects.join(', ')
  const says = { day: dayText(from), last: dayText(addDays(from, -1)), fee: formatRupees(fee), names }
  return <p>{t(inForce ? 'now' : 'ahead', says)}</p>
}
