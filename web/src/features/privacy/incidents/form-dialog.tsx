import {
  changeIncident,
  type Incident,
  incidentForm,
  natures,
  openIncident,
} from '@podium/contract/privacy/calls-incidents'
import { istDay } from '@podium/contract/season'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { officePaths } from '#shell/paths.ts'
import { useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function valuesOf(incident: Incident | undefined) {
  const found = incident ? new Date(incident.foundAt) : new Date()
  return {
    title: incident?.title ?? '',
    nature: incident?.nature ?? natures[0],
    foundDay: istDay(found),
    foundTime: clock.format(found),
    happened: incident?.happened ?? '',
    extent: incident?.extent ?? '',
    measures: incident?.measures ?? '',
  }
}

/** Enters a breach, or writes down what has become known of one; little has to be known at first. */
export function IncidentDialog({ incident, onClose }: { incident?: Incident; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfIncidents)
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
  const field = (name: keyof ReturnType<typeof valuesOf>) => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <Dialog opened onClose={onClose} title={t(incident ? 'changeTitle' : 'openTitle')} fact={t('noNames')}>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="grid">
            <TextField label={t('titleField')} className="c12" data-autofocus {...field('title')} />
            <SelectField
              label={t('nature')}
              className="c6"
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
            <TextArea label={t('happened')} className="c12" rows={4} {...field('happened')} />
            <TextArea
              label={t('extent')}
              hint={t('extentHint')}
              className="c6"
              rows={3}
              optional
              {...field('extent')}
            />
            <TextArea
              label={t('measures')}
              hint={t('measuresHint')}
              className="c6"
              rows={3}
              optional
              {...field('measures')}
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
