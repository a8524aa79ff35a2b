import { getAskedBack } from '@podium/contract/accounts-school'
import { Link } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { FormFrame } from '#shell/form-frame.tsx'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { SchoolFields } from './school-fields.tsx'
import { useAnswerForm } from './use-school-form.ts'
import { words } from './words.ts'

/** What the office asks about the details of a school, and the form to answer and correct them. */
export function AskedBack() {
  const asked = useEndpoint(getAskedBack)
  if (asked.error) return <LoadProblem error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton shape="form" rows={4} />
  const { application } = asked.data
  return application && <AnswerForm key={application.version} application={application} />
}

type Asked = NonNullable<Answer<typeof getAskedBack>['application']>

function AnswerForm({ application }: { application: Asked }) {
  const t = words.use()
  const f = useAnswerForm(application)
  return (
    <>
      <div className="gate-say">
        <Note kind="due">
          <b>{t('askedBack')}</b> <Moment value={application.askedAt} />
          <p className="asked-back">{application.question}</p>
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
