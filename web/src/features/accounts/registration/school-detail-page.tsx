import { me } from '@podium/contract/accounts/calls'
import { Link, useNavigate } from '@tanstack/react-router'
import { FormFrame } from '#shell/form-frame.tsx'
import { Moment } from '#shell/format.tsx'
import { GateLayout } from '#shell/layout-gate.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { pageTitle } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { GateBanner } from '../gate-banner.tsx'
import { words } from '../words.ts'
import {
  type Place,
  SchoolFields,
  type SubmittedApplication,
  useAnswerForm,
  useSchoolForm,
  useVisitorForm,
  WithEarlierApplication,
} from './school-fields.tsx'
import '../accounts.css'

/** The school detail form as a page: open to everyone, useful to signed-in users. */
export function SchoolDetailPage() {
  const t = words.use()
  const session = useSession()
  return (
    <GateLayout banner={<GateBanner />}>
      <title>{pageTitle(t('schoolTitle'))}</title>
      <div className="roomy">
        <h1>{t('schoolTitle')}</h1>
        <p className="lede">{t('schoolIntro')}</p>
        {session ? <SchoolDetailSteps /> : <BeforeSignIn />}
      </div>
    </GateLayout>
  )
}

/** For visitors not signed in: the form can be filled in now and submitted after sign-in. */
function BeforeSignIn() {
  const t = words.use()
  const navigate = useNavigate()
  const f = useVisitorForm(
    () => void navigate({ to: paths.login, search: { returnurl: paths.schoolDetail } }),
  )
  return (
    <>
      <Note className="gate-note">{t('schoolNeedsSignIn')}</Note>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <SchoolFields of={f} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('signInAndSubmit')}
        </Button>
      </FormFrame>
    </>
  )
}

function SchoolDetailSteps() {
  const t = words.use()
  const meQuery = useEndpoint(me)
  const details = meQuery.data?.userDetails
  if (meQuery.error) return <LoadProblem error={meQuery.error} retry={() => void meQuery.refetch()} />
  if (!details) return <Skeleton shape="form" rows={4} />
  if (details.state === 'asked') return <OfficeQuestion />
  if (details.state === 'none' || details.state === 'rejected')
    return (
      <WithEarlierApplication>
        {(application, place) => <PageForm key={application?.id} application={application} place={place} />}
      </WithEarlierApplication>
    )
  return (
    <>
      <Note className="gate-note" kind={details.state === 'school' ? 'ok' : 'due'}>
        {details.state === 'school' ? t('schoolHas', { school: details.schName }) : t('schoolPending')}
      </Note>
      <Link to={paths.dashboard} className={buttonClass('primary', 'wide big')}>
        {t('toDashboard')}
      </Link>
    </>
  )
}

function PageForm({ application, place }: { application: SubmittedApplication | null; place: Place }) {
  const t = words.use()
  const navigate = useNavigate()
  const f = useSchoolForm(application, place, () => void navigate({ to: paths.dashboard }))
  return (
    <>
      {application?.remark && (
        <Note className="gate-note" kind="bad">
          {t('rejected', { reason: application.remark })}
        </Note>
      )}
      <FormFrame of={f}>
        <SchoolFields of={f} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('submitSchool')}
        </Button>
      </FormFrame>
    </>
  )
}

/** The office's question about the school's details, and a form to answer and correct them. */
function OfficeQuestion() {
  return (
    <WithEarlierApplication>
      {(application) =>
        application?.status === 'asked' && <AnswerForm key={application.version} application={application} />
      }
    </WithEarlierApplication>
  )
}

function AnswerForm({ application }: { application: SubmittedApplication }) {
  const t = words.use()
  const f = useAnswerForm(application)
  return (
    <>
      <Note className="gate-note" kind="due">
        <b>{t('askedBack')}</b> <Moment value={application.askedAt} />
        <p className="asked-back">{application.remark}</p>
      </Note>
      <FormFrame of={f}>
        <TextArea
          label={t('answerBack')}
          rows={3}
          optional
          hint={t('answerBackHint')}
          {...f.form.field('answer')}
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
