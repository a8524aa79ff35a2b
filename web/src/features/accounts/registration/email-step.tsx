import { login } from '@podium/contract/accounts/calls'
import { forgotPassword } from '@podium/contract/accounts/calls-password'
import { signInForm } from '@podium/contract/accounts/schemas'
import { messages } from '@podium/contract/messages'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { readDraft } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { portalName } from '#ui/portal.ts'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { enter } from '../enter.ts'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { linkTo, usePlace } from '../place.ts'
import { words } from '../words.ts'
import { SignInHead } from './choices-step.tsx'

/** Sign-in by e-mail and password. */
export function EmailStep({
  id,
  proved,
  onBack,
}: {
  id: string | undefined
  proved: boolean
  /** Back to the choices; undefined where e-mail is the only way */
  onBack: (() => void) | undefined
}) {
  const t = words.use()
  const { search } = usePlace()
  const [stay, setStay] = useState(false)
  const known = readDraft('email')
  const f = useGateForm({
    schema: signInForm,
    initialValues: { emailId: typeof known === 'string' ? known : '', password: '' },
    focus: 'emailId',
    save: async (body) => {
      try {
        enter(
          await call(login, { body: { ...body, staySignedIn: stay, ...(id ? { id } : {}) } }),
          stay,
          search,
        )
      } catch (cause) {
        if (cause instanceof CallError && cause.code === 'account.wrong_sign_in')
          requestAnimationFrame(() => f.focus('password'))
        throw cause
      }
    },
  })
  const forgot = useForgot(
    () => f.values.emailId.trim(),
    () => f.focus('emailId'),
  )
  const forgotButton = (
    <button type="button" className="lk" onClick={() => void forgot.send()}>
      {t('forgot')}
    </button>
  )
  return (
    <>
      <SignInHead title={t(onBack ? 'byEmail' : 'signIn')} proved={proved} />
      {forgot.sent && (
        <div className="gate-say" role="status">
          <Note kind="ok">
            {t('sent', { email: forgot.sent })} {t('checkSpam')}
          </Note>
        </div>
      )}
      <GateFormFrame of={f}>
        <TextField label={t('email')} type="email" autoComplete="username" {...f.field('emailId')} />
        <PasswordField label={t('password')} aside={forgotButton} {...f.field('password')} />
        <CheckField
          label={t('stay')}
          hint={t('stayHint')}
          checked={stay}
          onChange={(event) => setStay(event.currentTarget.checked)}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('signInNow')}
        </Button>
        {onBack && (
          <Button wide big onClick={onBack}>
            {t('back')}
          </Button>
        )}
      </GateFormFrame>
      <p className="gate-new">
        {t('newHere', { portal: portalName() })}{' '}
        <a {...linkTo(paths.register, { id, returnurl: search.returnurl })} className="lk">
          {t('createAccount')}
        </a>
      </p>
    </>
  )
}

/** Forgot Password beside the field: uses the address typed there (specification, section 5). */
function useForgot(address: () => string, focus: () => void) {
  const language = useWrittenLanguage()
  const [sent, setSent] = useState<string>()
  const send = async () => {
    const emailId = address()
    if (emailId === '') {
      focus()
      return toast.error(translateSentence(messages.enterEmail))
    }
    toast.withdraw(translateSentence(messages.enterEmail))
    try {
      await call(forgotPassword, { body: { emailId, language } })
      setSent(emailId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(translateSentence(cause.issues[0]?.message ?? cause.message))
    }
  }
  return { sent, send }
}
