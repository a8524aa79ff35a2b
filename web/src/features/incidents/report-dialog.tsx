import {
  type ClockName,
  clockHours,
  type Incident,
  noteIncidentReport,
  reportForm,
} from '@podium/contract/incidents'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useRenew } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { DateField, TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { momentValue } from './moment-value.ts'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const { outcome, day, time, note } = reportForm.shape
const schema = z.object({ outcome, day, time, note })

/** Notes that a report was made, and when; or why the law asks for none. */
export function ReportDialog({
  incident,
  clock,
  onClose,
}: {
  incident: Incident
  clock: ClockName
  onClose: () => void
}) {
  const t = words.use()
  const renew = useRenew(shownOfIncidents)
  const { id, version } = incident
  const kept = incident.clocks.find(({ name }) => name === clock)
  const at = momentValue(kept?.at ?? new Date())
  const f = usePortalForm({
    schema,
    initialValues: {
      outcome: kept?.outcome === 'needless' ? ('needless' as const) : ('made' as const),
      ...at,
      note: kept?.note ?? '',
    },
    draftKey: `incident.${id}.${clock}.${version}`,
    save: async (values) => {
      await call(noteIncidentReport, { body: { id, version, clock, ...values } }).finally(renew)
      toast.success(t('reportNoted'))
      onClose()
    },
  })
  const field = (name: 'outcome' | 'day' | 'time' | 'note') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(`report_${clock}`)}
      fact={t('reportFact', { h: clockHours[clock] })}
      size="small"
    >
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="grid">
            <SelectField
              label={t('outcome')}
              className="c12"
              choices={(['made', 'needless'] as const).map((value) => ({
                value,
                label: t(`outcome_${value}`),
              }))}
              {...field('outcome')}
            />
            <DateField label={t('reportDay')} className="c6" {...field('day')} />
            <TextField
              label={t('reportTime')}
              className="c6"
              hint={t('timeHint')}
              inputMode="numeric"
              {...field('time')}
            />
            <TextArea label={t('reportNote')} className="c12" rows={3} data-autofocus {...field('note')} />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('noteIt')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
