import {
  changeIncident,
  type Incident,
  incidentForm,
  natures,
  openIncident,
} from '@podium/contract/incidents'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { officePaths } from '#shell/paths.ts'
import { useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { DateField, TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { momentValue } from './moment-value.ts'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const longOnes = ['extent', 'consequences', 'measures', 'safety', 'contact'] as const

function valuesOf(incident: Incident | undefined) {
  const found = momentValue(incident?.foundAt ?? new Date())
  const began = momentValue(incident?.beganAt ?? null)
  return {
    title: incident?.title ?? '',
    drill: incident?.drill ?? false,
    nature: incident?.nature ?? natures[0],
    foundDay: found.day,
    foundTime: found.time,
    beganDay: began.day,
    beganTime: began.time,
    happened: incident?.happened ?? '',
    extent: incident?.extent ?? '',
    consequences: incident?.consequences ?? '',
    measures: incident?.measures ?? '',
    safety: incident?.safety ?? '',
    contact: incident?.contact ?? '',
  }
}

/** Enters a breach, or writes down what has become known of one; little has to be known at first. */
export function FactsDialog({ incident, onClose }: { incident?: Incident; onClose: () => void }) {
  const t = words.use()
  const renew = useRenew(shownOfIncidents)
  const navigate = useNavigate()
  const f = usePortalForm({
    schema: incidentForm,
    initialValues: valuesOf(incident),
    draftKey: incident ? `incident.${incident.id}.${incident.version}` : 'incident.new',
    save: async (body) => {
      if (incident) {
        const { id, version } = incident
        await call(changeIncident, { body: { ...body, id, version } }).finally(renew)
        toast.success(t('saved'))
        onClose()
        return
      }
      const { id } = await call(openIncident, { body })
      await renew()
      toast.success(t('opened'))
      onClose()
      await navigate({ to: officePaths.incident, params: { id: String(id) } })
    },
  })
  type Name = keyof ReturnType<typeof valuesOf>
  const field = (name: Name) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })
  return (
    <Dialog opened onClose={onClose} title={t(incident ? 'changeTitle' : 'openTitle')} fact={t('noNames')}>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="grid">
            <TextField label={t('titleField')} className="c8" data-autofocus {...field('title')} />
            <SelectField
              label={t('nature')}
              className="c4"
              choices={natures.map((value) => ({ value, label: t(`nature_${value}`) }))}
              {...field('nature')}
            />
            <DateField label={t('foundDay')} className="c3" {...field('foundDay')} />
            <TextField
              label={t('foundTime')}
              className="c3"
              hint={t('timeHint')}
              inputMode="numeric"
              {...field('foundTime')}
            />
            <DateField label={t('beganDay')} className="c3" optional {...field('beganDay')} />
            <TextField
              label={t('beganTime')}
              className="c3"
              hint={t('beganHint')}
              optional
              inputMode="numeric"
              {...field('beganTime')}
            />
            <TextArea label={t('happened')} className="c12" rows={4} {...field('happened')} />
            {longOnes.map((name) => (
              <TextArea
                {...field(name)}
                key={name}
                label={t(name)}
                hint={t(`${name}Hint`)}
                className={name === 'contact' ? 'c12' : 'c6'}
                rows={name === 'contact' ? 2 : 3}
                optional
              />
            ))}
            <CheckField
              label={t('drillField')}
              className="c12"
              key={f.form.key('drill')}
              {...f.form.getInputProps('drill', { type: 'checkbox' })}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t(incident ? 'save' : 'open')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
