import { endSession, getSessions, me, saveProfile, type UserDetails } from '@podium/contract/accounts/calls'
import { changePassword } from '@podium/contract/accounts/calls-registration'
import { profileForm } from '@podium/contract/accounts/schemas'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { FormFrame, useCloseQuestion, usePortalForm } from '#shell/form-frame.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useBounceText } from '#shell/mails.tsx'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { updateSession } from '#shell/session.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { emptyForm, SessionList, words } from './session-list.tsx'

/** The dialog's forms, by name: whether each has unsaved input */
type Unsaved = Record<string, () => boolean>

/** A school user's own account: name, mobile number and password. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const [unsaved] = useState<Unsaved>({})
  const isLost = () => Object.values(unsaved).some((isUnsaved) => isUnsaved())
  const { leave, question } = useCloseQuestion(isLost, onClose)
  const account = useEndpoint(me)
  const comesBack = useBounceText()(account.data?.bounced ?? null)
  return (
    <Dialog opened onClose={leave} title={t('accountTitle')}>
      <DialogBody>
        {account.isError && !account.data && (
          <LoadProblem error={account.error} retry={() => account.refetch()} />
        )}
        {account.isPending && <Skeleton shape="form" rows={3} />}
        {account.data && (
          <div className="stack">
            {comesBack && <Note kind="due">{comesBack}</Note>}
            <Details of={account.data.userDetails} unsaved={unsaved} />
            <Password unsaved={unsaved} />
          </div>
        )}
      </DialogBody>
      {question}
    </Dialog>
  )
}

const accountCalls = [me]

function Details({ of: { userName, mobile, emailId }, unsaved }: { of: UserDetails; unsaved: Unsaved }) {
  const t = words.use()
  const invalidate = useInvalidate(accountCalls)
  const f = usePortalForm({
    schema: profileForm,
    initialValues: { userName, mobile },
    save: async (body) => {
      const { userDetails } = await call(saveProfile, { body })
      updateSession({ userName: userDetails.userName })
      await invalidate()
      toast.success(t('saved'))
    },
  })
  unsaved.details = () => !f.saving && f.form.isDirty()
  const { field } = f.form
  return (
    <FormFrame of={f} asksBeforeLeaving={false} className="stack">
      <div className="grid">
        <TextField label={t('name')} className="c6" autoComplete="name" {...field('userName')} />
        <TextField label={t('mobile')} className="c6" type="tel" autoComplete="tel" {...field('mobile')} />
        <TextField label={t('email')} className="c12" hint={t('emailHint')} value={emailId} readOnly />
      </div>
      <Button type="submit" kind="primary" busy={f.saving}>
        {t('save')}
      </Button>
    </FormFrame>
  )
}

const empty = { currentPassword: '', password: '', rePassword: '' }

function Password({ unsaved }: { unsaved: Unsaved }) {
  const t = words.use()
  const f = usePortalForm({
    schema: changePassword.body,
    initialValues: empty,
    save: async (body) => {
      await call(changePassword, { body })
      toast.success(t('passwordSaved'))
      emptyForm(f)
    },
  })
  unsaved.password = () => !f.saving && f.form.isDirty()
  const { field } = f.form
  return (
    <FormFrame of={f} asksBeforeLeaving={false} className="stack">
      <h3>{t('passwordTitle')}</h3>
      <div className="grid">
        <PasswordField
          label={t('current')}
          className="c12"
          autoComplete="current-password"
          {...field('currentPassword')}
        />
        <PasswordField
          label={t('new')}
          className="c6"
          hint={t('passwordHint')}
          autoComplete="new-password"
          {...field('password')}
        />
        <PasswordField
          label={t('again')}
          className="c6"
          autoComplete="new-password"
          {...field('rePassword')}
        />
      </div>
      <Button type="submit" busy={f.saving}>
        {t('setPassword')}
      </Button>
    </FormFrame>
  )
}

const sessionCalls = [getSessions]

/** Where a school user is signed in; all other sessions can be ended. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const sessions = useEndpoint(getSessions)
  const { act } = useAction(sessionCalls)
  return (
    <Dialog opened onClose={onClose} title={t('title')}>
      <DialogBody>
        <SessionList
          sessions={sessions.data?.data}
          error={sessions.error}
          retry={sessions.refetch}
          onEnd={(session) => act(() => call(endSession, { body: { session } }), t('ended'))}
        />
      </DialogBody>
    </Dialog>
  )
}
