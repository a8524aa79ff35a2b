import {
  acceptInvitation,
  joinByInvitation,
  joinForm,
  passwordForm,
} from '@podium/contract/accounts/calls-invitations'
import { designations } from '@podium/contract/accounts/calls-registration'
import { lazy, Suspense, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { endSession, writeDraft } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { go, linkTo } from '../place.ts'
import { words } from '../words.ts'

const TermsDialog = lazy(() =>
  import('../registration/terms-dialog.tsx').then((m) => ({ default: m.TermsDialog })),
)

interface JoinProps {
  token: string
  email: string
  onProblem: (problem: CallError) => void
}

/** On to the sign-in, with the address filled in; whoever was signed in at this computer is so no more. */
function signInAs(email: string, message: string): void {
  endSession()
  writeDraft('email', email)
  toast.success(translateSentence(message))
  go(paths.login)
}

/** Somebody without an account: name, mobile and a password. */
export function JoinNew({
  token,
  email,
  name,
  onProblem,
  again,
}: JoinProps & { name: string; again: () => void }) {
  const t = words.use()
  const language = useWrittenLanguage()
  const [terms, setTerms] = useState(false)
  const f = useGateForm({
    schema: joinForm,
    initialValues: {
      userName: name,
      mobile: '',
      designation: '',
      disclaimer: false,
      password: '',
      rePassword: '',
    },
    save: async (form) => {
      try {
        const { message } = await call(acceptInvitation, { body: { ...form, token, language } })
        signInAs(email, message)
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code === 'colleagues.known') again()
        else if (cause.code?.startsWith('colleagues.')) onProblem(cause)
        else throw cause
      }
    },
  })
  const { field } = f
  return (
    <>
      <p className="lede">{t('formLede', { email })}</p>
      <GateFormFrame of={f}>
        <input
          type="email"
          className="sr"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <div className="grid">
          <TextField label={t('name')} className="c12" autoComplete="name" {...field('userName')} />
          <TextField label={t('mobile')} className="c6" type="tel" autoComplete="tel" {...field('mobile')} />
          <SelectField
            label={t('youAreA')}
            className="c6"
            empty={t('chooseOne')}
            choices={designations.map((value) => ({ value, label: t(value) }))}
            {...field('designation')}
          />
          <PasswordField
            label={t('password')}
            className="c6"
            hint={t('passwordHint')}
            autoComplete="new-password"
            {...field('password')}
          />
          <PasswordField
            label={t('rePassword')}
            className="c6"
            autoComplete="new-password"
            {...field('rePassword')}
          />
          <CheckField
            className="c12"
            label={
              <>
                {t('accept')}{' '}
                <button type="button" className="lk" onClick={() => setTerms(true)}>
                  {t('terms')}
                </button>
              </>
            }
            {...field('disclaimer')}
          />
        </div>
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('join')}
        </Button>
      </GateFormFrame>
      {terms && (
        <Suspense>
          <TermsDialog onClose={() => setTerms(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Somebody whose account has no school yet: its password. */
export function JoinKnown({ token, email, onProblem }: JoinProps) {
  const t = words.use()
  const f = useGateForm({
    schema: passwordForm,
    initialValues: { password: '' },
    focus: 'password',
    save: async ({ password }) => {
      try {
        const { message } = await call(joinByInvitation, { body: { token, password } })
        signInAs(email, message)
      } catch (cause) {
        if (cause instanceof CallError && cause.code?.startsWith('colleagues.')) onProblem(cause)
        else throw cause
      }
    },
  })
  return (
    <>
      <p className="lede">{t('invitationKnown', { email })}</p>
      <GateFormFrame of={f}>
        <input
          type="email"
          className="sr"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <PasswordField label={t('password')} autoComplete="current-password" {...f.field('password')} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('join')}
        </Button>
      </GateFormFrame>
      <div className="gate-links">
        <a {...linkTo(paths.forgot)} className="lk">
          {t('forgot')}
        </a>
      </div>
      <p className="gate-new">{t('invitationForgot')}</p>
    </>
  )
}
