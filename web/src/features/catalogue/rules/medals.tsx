import { medals } from '@podium/contract/results/schemas'
import { Button, IconButton } from '#ui/button.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type { RulesForm } from './use-rules.ts'
import type { TypedRules } from './values.ts'
import { rulesWords } from './words.ts'

/** A medal for each class rank, and how many must have sat. */
export function Medals({ form }: { form: RulesForm['form'] }) {
  const t = rulesWords.use()
  const rows = form.useWatchValue('medals') as TypedRules['medals']
  const field = (path: string) => ({ key: form.key(path), ...form.getInputProps(path) })
  const choices = medals.map((value) => ({ value, label: t(value) }))
  return (
    <Panel title={t('medals')}>
      {rows.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own
        <div className="cat-line" key={index}>
          <SelectField
            label={t('medal', { n: index + 1 })}
            choices={choices}
            {...field(`medals.${index}.medal`)}
          />
          <NumberField label={t('classRank')} {...field(`medals.${index}.classRank`)} />
          <NumberField label={t('minimumPool')} {...field(`medals.${index}.minimumPool`)} />
          <IconButton
            icon="delete"
            label={t('removeMedal', { n: index + 1 })}
            onClick={() => form.removeListItem('medals', index)}
          />
        </div>
      ))}
      {form.errors.medals && <p className="msg">{form.errors.medals}</p>}
      <div className="cat-form-acts">
        <Button
          icon="plus"
          onClick={() =>
            form.insertListItem('medals', { medal: 'Bronze', classRank: rows.length + 1, minimumPool: 10 })
          }
        >
          {t('addMedal')}
        </Button>
      </div>
    </Panel>
  )
}
