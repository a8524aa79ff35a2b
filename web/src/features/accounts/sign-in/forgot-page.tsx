import '../accounts.css'
import { forgotPassword } from '@podium/contract/accounts/calls-registration'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { pageTitle } from '#ui/portal.ts'
import { TextField } from '#ui/text-field.tsx'
import { GateBanner } from '../gate-banner.tsx'
import { GateFormFrame, useCountdown, useGateForm } from '../gate-form.tsx'
import { linkTo } from '../location.ts'
import { words } from '../words.ts'

/** Requests a link to set a new password. */
export function ForgotPage() {
  const t = words.use()
  const language = useWrittenLanguage()
  const [sent, setSent] = useState<string>()
  const wait = useCountdown()
  const f = useGateForm({
    schema: forgotPassword.body,
    initialValues: { emailId: '' },
    focus: 'emailId',
    save: async ({ emailId }) => {
      await call(forgotPassword, { body: { emailId, language } })
      setSent(emailId)
      wait.start(30)
    },
  })
  return (
    <GateLayout banner={<GateBanner />}>
      <title>{pageTitle(t('forgotTitle'))}</title>
      <h1>{t('forgotTitle')}</h1>
      <p className="lede">{t('forgotIntro')}</p>
      {sent && (
        <div className="gate-note" role="status">
          <Note kind="ok">
            {t('sent', { email: sent })} {t('checkSpam')}
          </Note>
        </div>
      )}
      <GateFormFrame of={f}>
        <TextField label={t('email')} type="email" autoComplete="username" {...f.field('emailId')} />
        <Button type="submit" kind="primary" big wide busy={f.saving} disabled={wait.left > 0}>
          {wait.left > 0 ? t('sendAgainIn', { n: wait.left }) : t(sent ? 'sendAgain' : 'sendLink')}
        </Button>
      </GateFormFrame>
      <div className="gate-links">
        <a {...linkTo(paths.login)} className="lk">
          {t('toSignIn')}
        </a>
      </div>
    </GateLayout>
  )
}
