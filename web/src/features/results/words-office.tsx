import { defineWords } from '#shell/language/words.ts'
import { Badge } from '#ui/badge.tsx'
import type en from '#words/en/results-office.json'
import { type ShownState, stateSigns } from './office-event.ts'

export const officeWords = defineWords<typeof en>(import.meta.glob('#words/*/results-office.json'))

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
