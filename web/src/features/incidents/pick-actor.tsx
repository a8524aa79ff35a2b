import { incidentActors } from '@podium/contract/incidents-people'
import { sentences } from '@podium/contract/sentences'
import { useState } from 'react'
import * as z from 'zod/mini'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useEndpoint } from '#shell/query.ts'
import { CheckField } from '#ui/check-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { DateField, SearchField, TextField } from '#ui/text-field.tsx'
import { momentValue } from './moment-value.ts'
import type { PickProps } from './pick-dialog.tsx'
import { words } from './words.ts'

const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, sentences.incidentMoment))
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentences.incidentMoment))
const schema = z.object({
  actor: z.string().check(z.regex(/^(office|account):\d+$/, sentences.incidentNobody)),
  fromDay: day,
  fromTime: time,
  untilDay: day,
  untilTime: time,
  wholeSchools: z.boolean(),
})

/** Whom somebody's account saw or changed between two instants, by the record of changes. */
export function ActorFields({ look, formId }: PickProps) {
  const t = words.use()
  const [search, setSearch] = useState('')
  const actors = useEndpoint(incidentActors, {
    query: { search },
    enabled: search.trim().length > 1,
  }).data?.data
  const now = momentValue(new Date())
  const f = usePortalForm({
    schema,
    initialValues: {
      actor: '',
      fromDay: now.day,
      fromTime: '00:00',
      untilDay: now.day,
      untilTime: now.time,
      wholeSchools: false,
    },
    save: async ({ actor, ...rest }) => {
      const [kind, id] = actor.split(':')
      await look({
        how: 'actor',
        actor: { kind: kind === 'office' ? 'office' : 'account', id: Number(id) },
        ...rest,
      })
    },
  })
  const field = (name: 'actor' | 'fromDay' | 'fromTime' | 'untilDay' | 'untilTime') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <FormFrame of={f} id={formId} asksBeforeLeaving={false}>
      <div className="grid">
        <SearchField
          label={t('actorSearch')}
          className="c6"
          placeholder={t('actorSearchHint')}
          value={search}
          maxLength={100}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <SelectField
          label={t('actor')}
          className="c6"
          empty={t(search.trim().length > 1 && actors?.length === 0 ? 'nobodyLike' : 'chooseActor')}
          choices={(search.trim().length > 1 ? (actors ?? []) : []).map(({ kind, id, name, says }) => ({
            value: `${kind}:${id}`,
            label: `${name} (${t(`actor_${kind}`)}, ${says})`,
          }))}
          {...field('actor')}
        />
        <DateField label={t('fromDay')} className="c3" {...field('fromDay')} />
        <TextField label={t('fromTime')} className="c3" inputMode="numeric" {...field('fromTime')} />
        <DateField label={t('untilDay')} className="c3" {...field('untilDay')} />
        <TextField label={t('untilTime')} className="c3" inputMode="numeric" {...field('untilTime')} />
        <CheckField
          label={t('wholeSchools')}
          hint={t('wholeSchoolsHint')}
          className="c12"
          key={f.form.key('wholeSchools')}
          {...f.form.getInputProps('wholeSchools', { type: 'checkbox' })}
        />
      </div>
    </FormFrame>
  )
}
