import type { usePortalForm } from '#shell/form.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { DateField } from '#ui/text-field.tsx'
import type { SeasonTyped } from './season-values.ts'
import { words } from './words.ts'

type InputProps = ReturnType<ReturnType<typeof usePortalForm>['form']['getInputProps']>

interface Props {
  kind: string
  field: (name: keyof SeasonTyped) => InputProps & { key: string }
}

/** Days of a season and what schools keep. */
export function SeasonFields({ kind, field }: Props) {
  const t = words.use()
  return (
    <div className="grid">
      <DateField label={t('feeDueOn')} className="c6" {...field('feeDueOn')} />
      <DateField label={t('resultsFrom')} className="c6" {...field('resultsFrom')} />
      <NumberField label={t('choiceDays')} className="c12" {...field('dateChoiceDays')} />
      <RadioField
        label={t('shareRule')}
        name="share"
        className="c12"
        choices={[
          { value: 'perHead', label: t('perHead') },
          { value: 'percent', label: t('percent') },
        ]}
        {...field('kind')}
      />
      {kind === 'percent' && (
        <NumberField label={t('percentOf')} className="c6" decimals={2} {...field('percent')} />
      )}
    </div>
  )
}
