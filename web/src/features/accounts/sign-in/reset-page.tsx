import '../accounts.css'
import { newPasswordForm, resetLink, resetPassword } from '@podium/contract/accounts/calls-registration'
import { useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { endSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { pageTitle } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { PasswordField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateBanner } from '../gate-banner.tsx'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { linkTo, navigate, takeLinkToken } from '../location.ts'
import { words } from '../words.ts'

/** Opened from the e-mailed link, whose token is after the #. */
export function ResetPage() {
  const t = words.use()
  const [token] = useState(takeLinkToken)
  const [state, setState] = useState<'asked' | 'open' | 'over'>(token.length < 40 ? 'over' : 'asked')
  useEffect(() => {
    if (token.length < 40) return
    const leaving = new AbortController()
    call(resetLink, { body: { token }, signal: leaving.signal }).then(
      () => setState('open'),
      (cause) => {
        if (leaving.signal.aborted) return
        if (!(cause instanceof CallError)) throw cause
        // Other errors, such as a lost connection, are reported when the form is sent.
        setState(cause.code === 'account.reset_expired' ? 'over' : 'open')
      },
    )
    return () => leaving.abort()
  }, [token])
  return (
    <GateLayout banner={<GateBanner />}>
      <title>{pageTitle(t('resetTitle'))}</title>
      <h1>{t('resetTitle')}</h1>
      {state === 'asked' && <Skeleton shape="form" rows={2} />}
      {state === 'over' && (
        <>
          <Note className="gate-note apart" kind="bad">
            {t('resetNoToken')}
          </Note>
          <a {...linkTo(paths.forgot)} className={buttonClass('primary', 'wide big')}>
            {t('askAgain')}
          </a>
        </>
      )}
      {state === 'open' && <PasswordForm token={token} onExpired={() => setState('over')} />}
    </GateLayout>
  )
}

function PasswordForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const t = words.use()
  const f = useGateForm({
    schema: newPasswordForm,
    initialValues: { password: '', rePassword: '' },
    focus: 'password',
    save: async (passwords) => {
      try {
        const { message } = await call(resetPassword, { body: { token, ...passwords } })
        endSession()
        toast.success(translateSentence(message))
        navigate(paths.login)
      } catch (cause) {
        if (cause instanceof CallError && cause.code === 'account.reset_expired') return onExpired()
        throw cause
      }
    },
  })
  return (
    <>
      <p className="lede">{t('resetIntro')}</p>
      <GateFormFrame of={f}>
        <PasswordField
          label={t('newPassword')}
          hint={t('passwordHint')}
          autoComplete="new-password"
          {...f.field('password')}
        />
        <PasswordField label={t('rePassword')} autoComplete="new-password" {...f.field('rePassword')} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('setPassword')}
        </Button>
      </GateFormFrame>
    </>
  )
}
