import { pageTitle } from '#ui/portal.ts'
import '#shell/layout-office.css'
import './sign-in.css'
import { acceptInvitation, readInvitation } from '@podium/contract/staff/calls-people'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { GateLayout } from '#shell/layout-gate.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { PasswordField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './people/words.ts'

/** Opened from an e-mailed invitation: shows who it is for, and sets the password. */
export function JoinPage() {
  const t = words.use()
  // After the #, so that no server on the way logs it
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '')
  const [isOver, setOver] = useState(token === '')
  const invitation = useEndpoint(readInvitation, { body: { token }, enabled: token !== '' })
  const isExpired = isOver || invitation.error?.code === 'staff.invite_over'
  return (
    <GateLayout start={officePaths.login} banner={<Banner />}>
      <title>{pageTitle(t('join'))}</title>
      {isExpired && <ExpiredLink />}
      {!isExpired && invitation.error && <LoadProblem error={invitation.error} retry={invitation.refetch} />}
      {!isExpired && invitation.isPending && <Skeleton shape="form" rows={2} />}
      {!isExpired && invitation.data && (
        <>
          <h1>{t('join')}</h1>
          <p className="lede">
            {t('joinIntro', { name: invitation.data.name, email: invitation.data.emailId })}
          </p>
          <JoinForm token={token} email={invitation.data.emailId} onExpired={() => setOver(true)} />
        </>
      )}
    </GateLayout>
  )
}

function Banner() {
  const t = words.use()
  return (
    <>
      <span className="k">{t('joinKind')}</span>
      <h2>{t('joinBanner')}</h2>
      <p>{t('joinBannerText')}</p>
    </>
  )
}

function ExpiredLink() {
  const t = words.use()
  return (
    <div role="alert">
      <EmptyState
        icon="lock"
        level={1}
        title={t('joinExpired')}
        actions={
          <Link to={officePaths.login} className={buttonClass('primary')}>
            {t('toSignIn')}
          </Link>
        }>
        {t('joinExpiredText')}
      </EmptyState>
    </div>
  )
}

function JoinForm({ token, email, onExpired }: { token: string; email: string; onExpired: () => void }) {
  const t = words.use()
  const navigate = useNavigate()
  const f = usePortalForm({
    schema: acceptInvitation.body,
    initialValues: { token, password: '' },
    save: async (body) => {
      try {
        await call(acceptInvitation, { body })
        toast.success(t('joinDone'))
        await navigate({ to: officePaths.login, replace: true })
      } catch (cause) {
        if (!(cause instanceof CallError) || cause.code !== 'staff.invite_over') throw cause
        onExpired()
      }
    },
  })
  return (
    <FormFrame of={f} className="set-up" asksBeforeLeaving={false}>
      <PasswordField
        account={email}
        label={t('newPassword')}
        hint={t('passwordHint')}
        autoComplete="new-password"
        {...f.form.field('password')}
      />
      <Button type="submit" kind="primary" big wide busy={f.saving}>
        {t('joinSave')}
      </Button>
    </FormFrame>
  )
}
