import {
  type Incident,
  incidentMailBegun,
  incidentMailForm,
  saveIncidentMail,
} from '@podium/contract/privacy/calls-incidents'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useInvalidate } from '#shell/query.ts'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfIncidents } from './use-incident.ts'
import { words } from './words.ts'

const languages = ['en', 'hi'] as const

/** What those affected read, beside each other in both languages. */
export function MailDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfIncidents)
  const { id, version } = incident
  const f = usePortalForm({
    schema: incidentMailForm,
    initialValues: incident.mail ?? incidentMailBegun,
    draftKey: `incident.${id}.mail.${version}`,
    save: async (mail) => {
      await call(saveIncidentMail, { body: { id, version, mail } }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const field = (name: string) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('writeMail')}
      fact={t('mailFact')}
      size="wide"
      save={t('save')}
    >
      <div className="grid">
        {languages.map((language) => (
          <TextField
            {...field(`${language}.subject`)}
            key={`${language} ${f.form.key(`${language}.subject`)}`}
            label={`${t('subject')} (${t(`language_${language}`)})`}
            className="c6"
            lang={language}
          />
        ))}
        {languages.map((language) => (
          <TextArea
            {...field(`${language}.text`)}
            key={`${language} ${f.form.key(`${language}.text`)}`}
            label={`${t('text')} (${t(`language_${language}`)})`}
            className="c6"
            rows={16}
            lang={language}
          />
        ))}
      </div>
    </FormDialog>
  )
}
