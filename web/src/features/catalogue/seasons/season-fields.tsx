import type { TypedSlab } from '@podium/contract/catalogue/rules-slabs'
import type { ReactNode } from 'react'
import { DateField } from '#shell/dates/date-field.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { words } from '../words.ts'
import type { SeasonField } from './slab-fields.tsx'
import { SlabFields } from './slab-fields.tsx'

interface Props {
  kind: string
  field: SeasonField
  slabs: readonly TypedSlab[]
  slabsError: ReactNode
  onAddSlab: () => void
  onRemoveSlab: (at: number) => void
}

/** Days of a season and what schools keep. */
export function SeasonFields({ kind, field, slabs, slabsError, onAddSlab, onRemoveSlab }: Props) {
  const t = words.use()
  return (
    <div className="grid">
      <DateField label={t('feeDueOn')} className="c6" {...field('feeDueOn')} />
      <DateField label={t('resultsFrom')} className="c6" {...field('resultsFrom')} />
      <NumberField label={t('choiceDays')} className="c6" {...field('dateChoiceDays')} />
      <RadioField
        label={t('shareRule')}
        name="share"
        className="c12"
        choices={[
          { value: 'perHead', label: t('perHead') },
          { value: 'percent', label: t('percent') },
          { value: 'slabs', label: t('slabs') },
        ]}
        {...field('kind')}
      />
      {kind === 'percent' && (
        <NumberField label={t('percentOf')} className="c6" decimals={2} {...field('percent')} />
      )}
      {kind === 'slabs' && (
        <SlabFields
          slabs={slabs}
          field={field}
          error={slabsError}
          onAdd={onAddSlab}
          onRemove={onRemoveSlab}
        />
      )}
    </div>
  )
}
