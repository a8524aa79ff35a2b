import { officeSignIn } from '@podium/contract/staff/calls'
import { useEffect, useRef } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { refusalWithTime } from './try-again.ts'
import { words } from './words.ts'

export interface PasswordStepProps {
  /** Typed before, when the second step ran out. */
  email: string
  /** Why one is here (again). */
  notice?: { kind: 'info' | 'ok' | 'due'; text: string }
  onDone: (email: string, answer: Answer<typeof officeSignIn>) => void
}

/** First step: e-mail and password. */
export function PasswordStep({ email, notice, onDone }: PasswordStepProps) {
  const t = words.use()
  const f = usePortalForm({
    schema: officeSignIn.body,
    initialValues: { emailId: email, password: '' },
    save: async (body) => {
      try {
        onDone(body.emailId, await call(officeSignIn, { body }))
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code === 'office.wrong_sign_in')
          requestAnimationFrame(() => f.form.getInputNode('password')?.focus())
        throw refusalWithTime(cause, t)
      }
    },
  })
  const { form } = f
  const placed = useRef(false)
  useEffect(() => {
    if (placed.current) return
    placed.current = true
    form.getInputNode(email ? 'password' : 'emailId')?.focus()
  })
  return (
    <>
      <h1>{t('signIn')}</h1>
      <p className="lede">{t('signInLede')}</p>
      {notice && (
        <div className="office-notice">
          <Note kind={notice.kind}>{notice.text}</Note>
        </div>
      )}
      <FormFrame of={f} asksBeforeLeaving={false}>
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          key={form.key('emailId')}
          {...form.getInputProps('emailId')}
        />
        <PasswordField label={t('password')} key={form.key('password')} {...form.getInputProps('password')} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('next')}
        </Button>
      </FormFrame>
      <p className="gate-else">
        {t('forSchools')} <a href="/login">{t('forSchoolsLink')}</a>
      </p>
    </>
  )
}
