import { me, signInOptions } from '@podium/contract/accounts/calls'
import { messages } from '@podium/contract/messages'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { updateSession, useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { words } from './words.ts'

/** Asks where the person stands, and keeps what the session says of the school in step with it. */
export function useStanding() {
  const session = useSession()
  const asked = useEndpoint(me, { enabled: Boolean(session) && !session?.schId })
  const details = asked.data?.userDetails
  useEffect(() => {
    if (!details) return
    const { schId, schCode, schName, teacherId } = details
    updateSession({ schId, schCode, schName, teacherId })
  }, [details])
  return { details, refetch: asked.refetch, isFetching: asked.isFetching }
}

/** What a person without a registered school sees: register it, wait for it, or correct it. */
export function WaitingForSchool({
  standing,
  onRegister,
}: {
  standing: ReturnType<typeof useStanding>
  onRegister: () => void
}) {
  const t = words.use()
  const say = useSentences()
  const hindi = useWrittenLanguage() === 'hi'
  const session = useSession()
  const support = useEndpoint(signInOptions, {})
  const { details } = standing
  if (details?.state === 'rejected') {
    return (
      <Note kind="bad">
        {t('rejected', { reason: details.reason })}{' '}
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
      <p>{say(messages.verificationInProgress)}</p>
      {support.data?.supportPhone && (
        <p>
          {t('help', {
            phone: support.data.supportPhone,
            hours: hindi ? support.data.supportHoursHi : support.data.supportHours,
          })}
        </p>
      )}
      <Button onClick={() => void standing.refetch()} busy={standing.isFetching}>
        {t('check')}
      </Button>
    </Note>
  )
}
