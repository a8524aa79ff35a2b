import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { words } from '../words.ts'
import { RegisteredLink } from './registered-link.tsx'

interface RegisterEmailStepProps {
  place: { n: number; total: number }
  /** Typed before */
  email: string | undefined
  onDone: (email: string, resendIn: number) => void
}

/** The address of the new account; a one-time password is mailed to it. */
export function RegisterEmailStep({ place, email, onDone }: RegisterEmailStepProps) {
  const t = words.use()
  const language = useWrittenLanguage()
  const f = useGateForm({
    schema: emailVerify.body,
    initialValues: { EmailId: email ?? '' },
    focus: 'EmailId',
    save: async ({ EmailId }) => {
      const { resendIn } = await call(emailVerify, { body: { EmailId, language } })
      onDone(EmailId, resendIn)
    },
  })
  return (
    <>
      <p className="dots">{t('stepOf', place)}</p>
      <h1>{t('registerTitle')}</h1>
      <p className="lede">{t('registerEmailLede')}</p>
      <GateFormFrame of={f}>
        <TextField
          label={t('email')}
          hint={t('registerEmailHint')}
          type="email"
          autoComplete="email"
          {...f.field('EmailId')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('sendOtp')}
        </Button>
      </GateFormFrame>
      <RegisteredLink />
    </>
  )
}
