import { Button, IconButton } from '#ui/button.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useScopes } from '../use-scopes.ts'
import type { RulesForm } from './use-rules.ts'
import { newPlace, type TypedLadder } from './values.ts'
import { rulesWords } from './words.ts'

type Form = RulesForm['form']

/** Prizes and awards, list by list, place by place. */
export function Ladders({ form }: { form: Form }) {
  const t = rulesWords.use()
  const ladders = form.useWatchValue('ladders') as TypedLadder[]
  const add = () =>
    form.insertListItem('ladders', {
      kind: 'award',
      by: 'state',
      minimumPool: 10,
      places: [newPlace(0)],
    })
  return (
    <Panel title={t('ladders')}>
      <p className="hint">{t('laddersSay')}</p>
      {ladders.map((ladder, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list has no name of its own
        <Ladder key={index} form={form} ladder={ladder} index={index} />
      ))}
      <div className="cat-form-acts">
        <Button icon="plus" onClick={add}>
          {t('addLadder')}
        </Button>
      </div>
    </Panel>
  )
}

function Ladder({ form, ladder, index }: { form: Form; ladder: TypedLadder; index: number }) {
  const t = rulesWords.use()
  const scopes = useScopes()
  const at = `ladders.${index}`
  const field = (path: string) => ({ key: form.key(path), ...form.getInputProps(path) })
  const last = Number(ladder.places.at(-1)?.to) || 0
  const error = form.errors[`${at}.places`]
  return (
    <fieldset className="cat-ladder">
      <legend>{t('ladder', { n: index + 1 })}</legend>
      <div className="cat-line">
        <SelectField
          label={t('kind')}
          choices={(['prize', 'award'] as const).map((value) => ({ value, label: t(value) }))}
          {...field(`${at}.kind`)}
        />
        <SelectField label={t('by')} choices={scopes} {...field(`${at}.by`)} />
        <NumberField label={t('minimumPool')} {...field(`${at}.minimumPool`)} />
        <IconButton
          icon="delete"
          label={t('removeLadder', { n: index + 1 })}
          onClick={() => form.removeListItem('ladders', index)}
        />
      </div>
      {ladder.places.map((_, no) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place has no name of its own
        <div className="cat-place" key={no}>
          <NumberField label={t('from')} {...field(`${at}.places.${no}.from`)} />
          <NumberField label={t('to')} {...field(`${at}.places.${no}.to`)} />
          <NumberField label={t('amount')} decimals={2} {...field(`${at}.places.${no}.amount`)} />
          <TextField label={t('titleOf')} {...field(`${at}.places.${no}.title`)} />
          <TextField label={t('message')} {...field(`${at}.places.${no}.message`)} />
          <TextField label={t('couponLink')} type="url" {...field(`${at}.places.${no}.couponLink`)} />
          <IconButton
            icon="delete"
            label={t('removePlace', { n: no + 1 })}
            onClick={() => form.removeListItem(`${at}.places`, no)}
          />
        </div>
      ))}
      {error && <p className="msg">{error}</p>}
      <div className="cat-form-acts">
        <Button icon="plus" onClick={() => form.insertListItem(`${at}.places`, newPlace(last))}>
          {t('addPlace')}
        </Button>
      </div>
    </fieldset>
  )
}
