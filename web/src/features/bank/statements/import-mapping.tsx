import {
  dayOrders,
  type StatementLook,
  type StatementMapping,
  statementColumns,
} from '@podium/contract/bank/calls-statements'
import { SelectField } from '#ui/select-field.tsx'
import { words } from './words.ts'

interface MappingProps {
  look: StatementLook
  onChange: (mapping: StatementMapping) => void
}

/** Which heading is what, each with what stands in its first rows. */
export function MappingFields({ look, onChange }: MappingProps) {
  const t = words.use()
  const { mapping, headings, samples } = look
  const choices = headings.map((heading, index) => {
    const sample = samples[index]?.find((cell) => cell !== '')
    const name = heading === '' ? t('column', { n: index + 1 }) : heading
    return { value: String(index), label: sample ? `${name} (${sample.slice(0, 24)})` : name }
  })
  return (
    <fieldset className="bank-mapping">
      <legend>{t('columns')}</legend>
      <p className="hint">{look.remembered ? t('remembered') : t('guessed', { row: look.headingRow })}</p>
      <div className="grid">
        {statementColumns.map((name) => (
          <SelectField
            key={name}
            className="c3"
            label={t(`col_${name}`)}
            empty={t('noColumn')}
            value={mapping[name] < 0 ? '' : String(mapping[name])}
            choices={choices}
            onChange={(event) => {
              const { value } = event.currentTarget
              onChange({ ...mapping, [name]: value === '' ? -1 : Number(value) })
            }}
          />
        ))}
        <SelectField
          className="c3"
          label={t('order')}
          value={mapping.order}
          choices={dayOrders.map((order) => ({ value: order, label: t(`order_${order}`) }))}
          onChange={(event) => {
            const order = dayOrders.find((one) => one === event.currentTarget.value) ?? 'dmy'
            onChange({ ...mapping, order })
          }}
        />
      </div>
    </fieldset>
  )
}
