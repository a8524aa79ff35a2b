import {
  changeOfficePassword,
  endOwnSessions,
  newRecoveryCodes,
  ownSessions,
  replaceAuthenticator,
} from '@podium/contract/staff/calls-people'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { emptyForm, SessionPanel } from '#shell/sessions/session-list.tsx'
import { signOut } from '#shell/sign-out.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { staffCalls, words } from './people/words.ts'

/** The user's own office account: password, recovery codes, active sessions. */
export function AccountPage() {
  const t = words.use()
  const sessionsQuery = useEndpoint(ownSessions)
  const { act } = useAction(staffCalls)
  const end = (session?: string) =>
    act(() => call(endOwnSessions, { body: session ? { session } : {} }), t('ended'))
  return (
    <>
      <PageHeader title={t('account')} fact={t('accountFact')} />
      <div className="two">
        <SessionPanel
          title={t('ownSessions')}
          sessions={sessionsQuery.data?.data}
          error={sessionsQuery.error}
          retry={sessionsQuery.refetch}
          endAll={t('endOthers')}
          onEnd={end}
        />
        <div className="stack">
          <CodesPanel codesLeft={sessionsQuery.data?.recoveryCodes} />
          <PhonePanel />
          <PasswordPanel />
        </div>
      </div>
    </>
  )
}

function CodesPanel({ codesLeft }: { codesLeft: number | undefined }) {
  const t = words.use()
  const client = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>([])
  const f = usePortalForm({
    schema: newRecoveryCodes.body,
    initialValues: { code: '' },
    save: async (body) => {
      setCodes((await call(newRecoveryCodes, { body })).recoveryCodes)
      emptyForm(f)
      await client.invalidateQueries({ queryKey: [ownSessions.path] })
    },
  })
  return (
    <Panel title={t('codesTitle')}>
      <div className="stack">
        {codesLeft === 0 && codes.length === 0 && <Note kind="due">{t('codesNone')}</Note>}
        {codes.length > 0 ? (
          <NewCodes codes={codes} />
        ) : (
          <p>
            {Boolean(codesLeft) && `${t('codesLeft', { n: codesLeft ?? 0 })} `}
            {t('codesHint')}
          </p>
        )}
        <FormFrame of={f} asksBeforeLeaving={false}>
          <div className="stack">
            <TextField label={t('code')} {...codeField} {...f.form.field('code')} />
            <div>
              <Button type="submit" busy={f.saving}>
                {t('codesMake')}
              </Button>
            </div>
          </div>
        </FormFrame>
      </div>
    </Panel>
  )
}

/** A recovery code has letters. */
const codeField = { className: 'code-field', autoComplete: 'one-time-code', spellCheck: false } as const

/** For another phone: the sign-in that follows sets it up. */
function PhonePanel() {
  const t = words.use()
  const navigate = useNavigate()
  const f = usePortalForm({
    schema: replaceAuthenticator.body,
    initialValues: { code: '' },
    save: async (body) => {
      await call(replaceAuthenticator, { body })
      await signOut(
        false,
        () => navigate({ to: officePaths.login }),
        async () => undefined,
      )
      toast.success(t('phoneDone'))
    },
  })
  return (
    <Panel title={t('phoneTitle')}>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <div className="stack">
          <p>{t('phoneHint')}</p>
          <TextField label={t('code')} {...codeField} {...f.form.field('code')} />
          <div>
            <Button type="submit" busy={f.saving}>
              {t('phoneReplace')}
            </Button>
          </div>
        </div>
      </FormFrame>
    </Panel>
  )
}

/** New codes, shown once: the page is not left unasked before they are copied or printed. */
function NewCodes({ codes }: { codes: readonly string[] }) {
  const t = words.use()
  const [kept, setKept] = useState<readonly string[]>()
  const isLost = () => kept !== codes
  const leaving = useBlocker({ shouldBlockFn: isLost, enableBeforeUnload: isLost, withResolver: true })
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => {
        setKept(codes)
        toast.success(t('copied'))
      },
      () => toast.error(t('notCopied')),
    )
  const print = () => {
    window.print()
    setKept(codes)
  }
  return (
    <div className="stack" role="status">
      <Note kind="due">{t('codesNew')}</Note>
      <ol className="code" style={{ columns: 2 }} aria-label={t('codesTitle')}>
        {codes.map((code) => (
          <li key={code}>
            {code.slice(0, 5)} {code.slice(5)}
          </li>
        ))}
      </ol>
      <div className="acts">
        <Button icon="copy" onClick={() => void copy()}>
          {t('copyAll')}
        </Button>
        <Button icon="print" onClick={print}>
          {t('codesPrint')}
        </Button>
      </div>
      {leaving.status === 'blocked' && (
        <ConfirmDialog
          opened
          danger
          title={t('codesLeave')}
          action={t('leave')}
          cancel={t('stay')}
          onConfirm={leaving.proceed}
          onCancel={leaving.reset}>
          {t('codesGone')}
        </ConfirmDialog>
      )}
    </div>
  )
}

function PasswordPanel() {
  const t = words.use()
  const client = useQueryClient()
  const f = usePortalForm({
    schema: changeOfficePassword.body,
    initialValues: { password: '', newPassword: '' },
    save: async (body) => {
      await call(changeOfficePassword, { body })
      emptyForm(f)
      await client.invalidateQueries({ queryKey: [ownSessions.path] })
      toast.success(t('passwordDone'))
    },
  })
  return (
    <Panel title={t('passwordTitle')}>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <div className="stack">
          <PasswordField
            label={t('password')}
            autoComplete="current-password"
            {...f.form.field('password')}
          />
          <PasswordField
            label={t('newPassword')}
            hint={t('passwordHint')}
            autoComplete="new-password"
            {...f.form.field('newPassword')}
          />
          <div>
            <Button type="submit" busy={f.saving}>
              {t('passwordSave')}
            </Button>
          </div>
        </div>
      </FormFrame>
    </Panel>
  )
}
