import { Link } from '@tanstack/react-router'
import { FormFrame } from '#shell/form-frame.tsx'
import { Moment } from '#shell/format.tsx'
import { paths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { words } from '../words.ts'
import { HandedInBefore } from './handed-in-before.tsx'
import { SchoolFields } from './school-fields.tsx'
import { type HandedIn, useAnswerForm } from './use-school-form.ts'

/** What the office asks about the details of a school, and the form to answer and correct them. */
export function AskedBack() {
  return (
    <HandedInBefore>
      {(application) =>
        application?.standing === 'asked' && (
          <AnswerForm key={application.version} application={application} />
        )
      }
    </HandedInBefore>
  )
}

function AnswerForm({ application }: { application: HandedIn }) {
  const t = words.use()
  const f = useAnswerForm(application)
  return (
    <>
      <div className="gate-say">
        <Note kind="due">
          <b>{t('askedBack')}</b> <Moment value={application.askedAt} />
          <p className="asked-back">{application.remark}</p>
        </Note>
      </div>
      <FormFrame of={f}>
        <TextArea
          label={t('answerBack')}
          rows={3}
          optional
          hint={t('answerBackHint')}
          key={f.form.key('answer')}
          {...f.form.getInputProps('answer')}
        />
        <SchoolFields of={f} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('sendAnswer')}
        </Button>
      </FormFrame>
      <div className="gate-links">
        <Link to={paths.dashboard} className="lk">
          {t('toDashboard')}
        </Link>
      </div>
    </>
  )
}
