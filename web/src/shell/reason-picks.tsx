import { type ReasonKind, standardReasons } from '@podium/contract/office/calls-settings'
import { SelectField } from '#ui/select-field.tsx'
import { useEndpoint } from './query.ts'
import { words } from './words.ts'

/** The office's standard reasons for a kind of decision, for `ReasonDialog`: one that is chosen becomes the text, which can be changed. */
export function ReasonPicks({ kind, onPick }: { kind: ReasonKind; onPick: (reason: string) => void }) {
  const t = words.use()
  const { data } = useEndpoint(standardReasons)
  const reasons = data?.data.find((list) => list.kind === kind)?.reasons ?? []
  if (reasons.length === 0) return null
  return (
    <SelectField
      label={t('standardReasons')}
      empty={t('chooseReason')}
      choices={reasons.map(({ en }) => ({ value: en, label: en }))}
      onChange={(event) => event.currentTarget.value !== '' && onPick(event.currentTarget.value)}
    />
  )
}
