import { pageTitle } from '#ui/portal.ts'
import '#shell/layout-office.css'
import './sign-in.css'
import { officeSetUp } from '@podium/contract/staff/calls'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { GateLayout } from '#shell/layout-gate.tsx'
import { officePaths } from '#shell/paths.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { refusalWithTime, words } from './words.ts'

/**
 * Set-up of a new installation through the one-time link printed at its start: the first owner, the foundation's
 * name.
 */
export function SetUpPage() {
  const t = words.use()
  // After the #, so that no server on the way logs it
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '')
  const [isOver, setOver] = useState(false)
  const banner = (
    <>
      <span className="k">{t('bannerKind')}</span>
      <h2>{t('bannerSetUp')}</h2>
      <p>{t('bannerSetUpText')}</p>
    </>
  )
  return (
    <GateLayout start={officePaths.login} banner={banner}>
      <title>{pageTitle(t('setUp'))}</title>
      {token && !isOver ? (
        <SetUpForm token={token} onExpired={() => setOver(true)} />
      ) : (
        <div role="alert">
          <EmptyState
            icon="lock"
            level={1}
            title={t(isOver ? 'setUpExpired' : 'setUp')}
            actions={
              <Link to={officePaths.login} className={buttonClass('primary')}>
                {t('toSignIn')}
              </Link>
            }>
            {t(isOver ? 'setUpExpiredText' : 'noToken')}
          </EmptyState>
        </div>
      )}
    </GateLayout>
  )
}

function SetUpForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const t = words.use()
  const navigate = useNavigate()
  const f = usePortalForm({
    schema: officeSetUp.body,
    initialValues: {
      token,
      name: '',
      emailId: '',
      password: '',
      foundationName: '',
      supportPhone: '',
      supportEmail: '',
    },
    save: async (body) => {
      try {
        await call(officeSetUp, { body })
        await navigate({ to: officePaths.login, search: { ready: true }, replace: true })
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code === 'office.set_up_over') onExpired()
        else throw refusalWithTime(cause, t)
      }
    },
  })
  const { form } = f
  return (
    <>
      <h1>{t('setUp')}</h1>
      <p className="lede">{t('setUpIntro')}</p>
      <FormFrame of={f} className="set-up" asksBeforeLeaving={false}>
        <h2>{t('you')}</h2>
        <TextField label={t('yourName')} autoComplete="name" {...form.field('name')} />
        <TextField label={t('email')} type="email" autoComplete="username" {...form.field('emailId')} />
        <PasswordField
          label={t('newPassword')}
          hint={t('passwordHint')}
          autoComplete="new-password"
          {...form.field('password')}
        />
        <h2>{t('foundation')}</h2>
        <TextField
          label={t('foundationName')}
          hint={t('foundationHint')}
          autoComplete="organization"
          {...form.field('foundationName')}
        />
        <TextField label={t('supportPhone')} type="tel" autoComplete="off" {...form.field('supportPhone')} />
        <TextField
          label={t('supportEmail')}
          hint={t('supportHint')}
          type="email"
          autoComplete="off"
          {...form.field('supportEmail')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('setUpSave')}
        </Button>
      </FormFrame>
    </>
  )
}
