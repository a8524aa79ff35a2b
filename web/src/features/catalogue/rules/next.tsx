import { classes } from '@podium/contract/classes'
import { Button, IconButton } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { MultiSelect } from '#ui/multi-select.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { useScopes } from '../use-scopes.ts'
import type { RulesForm } from './use-rules.ts'
import { newClause, type TypedClause } from './values.ts'
import { rulesWords } from './words.ts'

const classChoices = classes.map(({ classId, className }) => ({ value: String(classId), label: className }))

/** Who may go on to the next level. */
export function NextLevel({ form }: { form: RulesForm['form'] }) {
  const t = rulesWords.use()
  const scopes = useScopes()
  const leadsOn = form.useWatchValue('leadsOn') as boolean
  const clauses = form.useWatchValue('clauses') as TypedClause[]
  const field = (path: string) => ({ key: form.key(path), ...form.getInputProps(path) })
  return (
    <Panel title={t('nextLevel')}>
      <CheckField
        label={t('leadsOn')}
        key={form.key('leadsOn')}
        {...form.getInputProps('leadsOn', { type: 'checkbox' })}
      />
      {leadsOn && (
        <>
          <div className="grid">
            <SelectField
              label={t('level')}
              className="c4"
              choices={['2', '3'].map((value) => ({ value, label: value }))}
              {...field('level')}
            />
            <MultiSelect label={t('classes')} className="c8" choices={classChoices} {...field('classes')} />
          </div>
          <p className="hint">{t('clausesSay')}</p>
          {clauses.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a way has no name of its own
            <div className="cat-line" key={index}>
              <SelectField label={t('by')} choices={scopes} {...field(`clauses.${index}.by`)} />
              <NumberField label={t('upToRank')} {...field(`clauses.${index}.upToRank`)} />
              <NumberField label={t('percent')} decimals={2} {...field(`clauses.${index}.percent`)} />
              <NumberField label={t('minimumPool')} {...field(`clauses.${index}.minimumPool`)} />
              <IconButton
                icon="delete"
                label={t('removeClause', { n: index + 1 })}
                disabled={clauses.length === 1}
                onClick={() => form.removeListItem('clauses', index)}
              />
            </div>
          ))}
          <div className="cat-form-acts">
            <Button icon="plus" onClick={() => form.insertListItem('clauses', newClause())}>
              {t('addClause')}
            </Button>
          </div>
        </>
      )}
    </Panel>
  )
}
