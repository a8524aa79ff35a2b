import { Badge } from '#ui/badge.tsx'
import { type ShownState, stateSigns } from './office-event.ts'
import { officeWords } from './words-office.ts'

/** How far a version is: sign and word. */
export function StateBadge({ state }: { state: ShownState }) {
  const t = officeWords.use()
  const [tone, icon] = stateSigns[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(state)}
    </Badge>
  )
}
