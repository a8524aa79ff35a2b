import type { SchoolRecord } from '@podium/contract/schools/calls-record'
import { startVisit } from '@podium/contract/staff/calls-act-as-school'
import { visitForm, visitMinutes } from '@podium/contract/staff/schemas'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { paths } from '#shell/paths.ts'
import { startSchoolSession } from '#shell/session.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { words } from './words-record.ts'

/** Opens the school's portal for the officer: why and for how long; the school sees it. */
export function VisitDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const initialValues: { reason: string; minutes: (typeof visitMinutes)[number] } = {
    reason: '',
    minutes: '30',
  }
  const f = usePortalForm({
    schema: visitForm,
    initialValues,
    save: async (body) => {
      const visit = await call(startVisit, { body: { ...body, id: school.id } })
      const { officer, until, userDetails } = visit
      startSchoolSession(visit.token, { ...userDetails, visit: { officer, until } })
      location.assign(paths.dashboard)
    },
  })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('visitTitle', { name: school.schName })}
      save={t('visitStart')}
    >
      <Note kind="due">{t('visitSays')}</Note>
      <TextArea
        label={t('reason')}
        rows={3}
        hint={t('visitReasonHint')}
        data-autofocus
        key={f.form.key('reason')}
        {...f.form.getInputProps('reason')}
      />
      <SelectField
        label={t('visitMinutes')}
        choices={visitMinutes.map((n) => ({ value: n, label: t('minutes', { n: Number(n) }) }))}
        key={f.form.key('minutes')}
        {...f.form.getInputProps('minutes')}
      />
    </FormDialog>
  )
}
