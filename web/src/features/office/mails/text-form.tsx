import {
  type MailTemplate,
  type mailLanguages,
  mailTemplates,
  mailTextForm,
  previewMail,
  restoreMailText,
  saveMailText,
} from '@podium/contract/office/calls-mails'
import { useEffect, useState } from 'react'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint, useRenew } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

interface Props {
  kind: string
  language: (typeof mailLanguages)[number]
  written: MailTemplate['en']
}

const shown = [mailTemplates]

/** One text to write, what it becomes, and the way back to the original. */
export function TextForm({ kind, language, written }: Props) {
  const t = words.use()
  const renew = useRenew(shown)
  const mayNot = useSession()?.permissions?.includes('mails.write') ? undefined : t('mayNot')
  const { subject, body, version } = written
  const f = usePortalForm({
    schema: mailTextForm,
    initialValues: { subject, body },
    draftKey: `mail.${kind}.${language}.${version}`,
    save: async (values) => {
      await call(saveMailText, { body: { ...values, kind, language, version } })
      toast.success(t('saved'))
      await renew()
    },
  })
  const typed = { subject: f.form.useWatchValue('subject'), body: f.form.useWatchValue('body') }
  return (
    <>
      <FormFrame of={f}>
        <div className="stack">
          <TextField
            label={t('subject')}
            lang={language}
            autoComplete="off"
            readOnly={mayNot !== undefined}
            key={f.form.key('subject')}
            {...f.form.getInputProps('subject')}
          />
          <TextArea
            label={t('body')}
            hint={t('bodyHint')}
            lang={language}
            rows={9}
            readOnly={mayNot !== undefined}
            key={f.form.key('body')}
            {...f.form.getInputProps('body')}
          />
          <div className="mail-acts">
            <Button type="submit" kind="primary" busy={f.saving} disabled={mayNot}>
              {t('save')}
            </Button>
            {written.own && <Restore which={{ kind, language, version }} mayNot={mayNot} />}
          </div>
        </div>
      </FormFrame>
      <Preview which={{ kind, language }} typed={typed} />
    </>
  )
}

interface RestoreProps {
  which: { kind: string; language: Props['language']; version: number }
  mayNot: string | undefined
}

function Restore({ which, mayNot }: RestoreProps) {
  const t = words.use()
  const { busy, act } = useAct(shown)
  const [asking, setAsking] = useState(false)
  const restore = async () => {
    await act(() => call(restoreMailText, { body: which }), t('restored'))
    setAsking(false)
  }
  return (
    <>
      <Button disabled={mayNot} onClick={() => setAsking(true)}>
        {t('restore')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('restoreTitle')}
        action={t('restore')}
        busy={busy}
        onConfirm={() => void restore()}
        onCancel={() => setAsking(false)}
      >
        <p>{t('restoreSays')}</p>
      </ConfirmDialog>
    </>
  )
}

const waitsMs = 400

interface PreviewProps {
  which: { kind: string; language: Props['language'] }
  typed: { subject: string; body: string }
}

/** The mail as it would be sent, a moment after the last key. */
function Preview({ which, typed }: PreviewProps) {
  const t = words.use()
  const say = useSentences()
  const [settled, setSettled] = useState(typed)
  const { subject, body } = typed
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ subject, body }), waitsMs)
    return () => clearTimeout(timer)
  }, [subject, body])
  const complete = settled.subject.trim() !== '' && settled.body.trim() !== ''
  const preview = useEndpoint(previewMail, { body: { ...which, ...settled }, enabled: complete })
  const problem = preview.error?.issues?.[0]?.message ?? preview.error?.message
  return (
    <Panel title={t('preview')}>
      <p className="quiet">{t('previewOf')}</p>
      {!complete && <p>{t('previewFirst')}</p>}
      {complete && problem !== undefined && <p role="alert">{say(problem)}</p>}
      {complete && problem === undefined && preview.data && (
        <div lang={which.language} className="mail-preview">
          <b>{preview.data.subject}</b>
          <p>{preview.data.text}</p>
        </div>
      )}
    </Panel>
  )
}
