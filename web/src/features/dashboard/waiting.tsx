import { me, signInOptions } from '@podium/contract/accounts/calls'
import { getOwnApplication, withdrawApplication } from '@podium/contract/accounts/calls-application'
import { olympiadDates } from '@podium/contract/dashboard/calls'
import { messages } from '@podium/contract/messages'
import { importTemplate } from '@podium/contract/students/calls-import'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { updateSession, useSession } from '#shell/session.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { KeyValue, KeyValues } from '#ui/copyable.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { words } from './panels.tsx'

/** Loads the user's registration status, and updates the session's school from it. */
export function useSchoolStatus() {
  const session = useSession()
  const meQuery = useEndpoint(me, { enabled: Boolean(session) && !session?.schId })
  const { refetch } = meQuery
  const isPending = meQuery.data?.userDetails.state === 'pending'
  // Polls, so that an approval shows without a reload.
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), 30_000)
    return () => clearInterval(timer)
  }, [isPending, refetch])
  const details = meQuery.data?.userDetails
  useEffect(() => {
    if (!details) return
    const { schId, schCode, schName, teacherId, roleId, formPermissions } = details
    updateSession({ schId, schCode, schName, teacherId, roleId, formPermissions })
  }, [details])
  return { details, refetch: meQuery.refetch, isFetching: meQuery.isFetching }
}

/** What a user without a registered school sees: register it, wait for it, or correct it. */
export function WaitingForSchool({
  status,
  onRegister,
}: {
  status: ReturnType<typeof useSchoolStatus>
  onRegister: () => void
}) {
  const t = words.use()
  const translate = useSentences()
  const hindi = useWrittenLanguage() === 'hi'
  const session = useSession()
  const support = useEndpoint(signInOptions, {})
  const { details } = status
  if (details?.state === 'rejected') {
    return (
      <Note kind={details.reason === '' ? 'due' : 'bad'}>
        {details.reason === '' ? t('withdrawn') : t('rejected', { reason: details.reason })}{' '}
        <button type="button" className="lk" onClick={onRegister}>
          {t('correct')}
        </button>
      </Note>
    )
  }
  if (details?.state === 'asked') {
    return (
      <Note kind="due">
        {t('asked', { question: details.reason })} <Link to={paths.schoolDetail}>{t('answer')}</Link>
      </Note>
    )
  }
  if (!session?.teacherId) {
    return (
      <Note kind="bad">
        {t('toAccess')}{' '}
        <button type="button" className="lk" onClick={onRegister}>
          {t('clickingHere')}
        </button>
      </Note>
    )
  }
  return (
    <Note kind="due">
      <p>{translate(messages.verificationInProgress)}</p>
      {support.data?.supportPhone && (
        <p>
          {t('help', {
            phone: support.data.supportPhone,
            hours: hindi ? support.data.supportHoursHi : support.data.supportHours,
          })}
        </p>
      )}
      {details && <p>{t('answerTo', { email: details.emailId })}</p>}
      <Button onClick={() => void status.refetch()} busy={status.isFetching}>
        {t('check')}
      </Button>
    </Note>
  )
}

/** While the foundation checks: what was submitted, and what can be prepared meanwhile. */
export function WhileWaiting() {
  const t = words.use()
  const season = useSeason()
  const application = useEndpoint(getOwnApplication)
  const dates = useEndpoint(olympiadDates, { query: { FYear: season } })
  const { busy, fetchFile } = useDownloads<'template'>()
  const fetchTemplate = () => fetchFile('template', importTemplate, { query: { FYear: season } })
  const submitted = application.data?.waiting
  if (!submitted) return null
  const place = [submitted.schAddress, submitted.city, submitted.district, submitted.state, submitted.pinCode]
  return (
    <div className="two">
      <Panel title={t('sentTitle')}>
        <KeyValues>
          <KeyValue label={t('sentSchool')}>{submitted.schName}</KeyValue>
          <KeyValue label={t('sentAddress')}>{place.filter(Boolean).join(', ')}</KeyValue>
          <KeyValue label={t('sentPhone')}>{submitted.mobile}</KeyValue>
          <KeyValue label={t('sentOn')}>{dayText(submitted.sentAt)}</KeyValue>
        </KeyValues>
        <Withdraw />
      </Panel>
      <Panel title={t('meanwhileTitle')}>
        <div className="stack">
          <p>{t('meanwhileText')}</p>
          <p>
            <Button
              icon="download"
              busy={busy !== undefined}
              disabled={dates.data?.forms === false && t('formsNotOpened', { season })}
              onClick={() => void fetchTemplate()}>
              {t('template')}
            </Button>
          </p>
          <p className="quiet">{t('meanwhileDates')}</p>
        </div>
      </Panel>
    </div>
  )
}

/** Withdraws details that were sent with an error; the form then opens with them. */
function Withdraw() {
  const t = words.use()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button className="mt-4" icon="undo" onClick={() => setAsking(true)}>
        {t('withdraw')}
      </Button>
      {asking && (
        <ConfirmAction
          title={t('withdrawTitle')}
          action={t('withdraw')}
          cancel={t('withdrawBack')}
          act={async () => {
            await call(withdrawApplication, {})
            // Before the status, which opens the form
            await client.invalidateQueries({ queryKey: [getOwnApplication.path] })
          }}
          invalidates={[me]}
          done={t('withdrawDone')}
          onClose={() => setAsking(false)}>
          <p>{t('withdrawHint')}</p>
        </ConfirmAction>
      )}
    </>
  )
}
