import { mailTextForm } from '@podium/contract/office/calls-mails'
import {
  type MailingReaders,
  mailingPlaceholders,
  mailingReaders,
  previewMailing,
  testMailing,
} from '@podium/contract/schools/calls-mailings'
import { lazy, Suspense, useState } from 'react'
import { useBouncedCount } from '#shell/bounced.tsx'
import { type Answer, call } from '#shell/call.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { RadioField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { words } from './words.ts'
import type { Asked, MailingPlan, Written } from './written.ts'

const SendDialog = lazy(() => import('./send-dialog.tsx').then((m) => ({ default: m.SendDialog })))

type Shown = Answer<typeof previewMailing> & { at: number }

interface MailingFormProps {
  asked: Asked & { readers: MailingReaders }
  plan: MailingPlan
  onReaders: (readers: MailingReaders) => void
}

/** Subject and text beside the mail as a school gets it; what is typed stays in this tab until it was sent. */
export function MailingForm({ asked, plan, onReaders }: MailingFormProps) {
  const t = words.use()
  const { busy, act } = useAct()
  const [shown, setShown] = useState<Shown>()
  const [sending, setSending] = useState<Written>()
  const f = usePortalForm({
    schema: mailTextForm,
    initialValues: { subject: '', body: '' },
    draftKey: 'mailing',
    save: async (values) => look({ ...asked, ...values }, 0),
  })
  const look = async (written: Written, at: number) =>
    setShown({ ...(await call(previewMailing, { body: { ...written, at } })), at })
  /** Does it with what is typed, once that is complete. */
  const withText = (then: (written: Written) => unknown) => () => {
    if (!f.form.validate().hasErrors) then({ ...asked, ...f.form.getValues() })
  }
  const insert = (name: string) => {
    const node = f.form.getInputNode('body') as HTMLTextAreaElement | null
    const text = f.form.getValues().body
    const at = node?.selectionStart ?? text.length
    f.form.setFieldValue('body', `${text.slice(0, at)}{${name}}${text.slice(node?.selectionEnd ?? at)}`)
    node?.focus()
  }
  const none = plan.schools === 0 ? t('none') : undefined
  const next = shown && shown.at + 1 < plan.schools ? shown.at + 1 : 0
  const previewAt = (at: number) => withText((written) => void act(() => look(written, at)))
  return (
    <div className="halves">
      <Panel title={t('write')}>
        <FormFrame of={f}>
          <div className="stack">
            <RadioField
              label={t('readers')}
              name="readers"
              value={asked.readers}
              choices={mailingReaders.map((value) => ({ value, label: t(`readers_${value}`) }))}
              onChange={(value) => onReaders(value === 'everyone' ? value : 'coordinators')}
            />
            <Reach plan={plan} />
            <TextField
              key={f.form.key('subject')}
              label={t('subject')}
              {...f.form.getInputProps('subject')}
            />
            <TextArea
              key={f.form.key('body')}
              label={t('text')}
              rows={10}
              hint={t('textHint')}
              {...f.form.getInputProps('body')}
            />
            <fieldset className="row gap-2">
              <legend>{t('placeholders')}</legend>
              {mailingPlaceholders.map((name) => (
                <Button key={name} className="sm" icon="plus" onClick={() => insert(name)}>
                  {t(`ph_${name}`)}
                </Button>
              ))}
            </fieldset>
            <div className="row gap-2">
              <Button icon="eye" busy={busy} disabled={none} onClick={previewAt(0)}>
                {t('show')}
              </Button>
              <Button
                busy={busy}
                disabled={none}
                onClick={withText((body) => void act(() => call(testMailing, { body }), t('tested')))}
              >
                {t('test')}
              </Button>
              <Button kind="primary" icon="mail" disabled={none} onClick={withText(setSending)}>
                {t('send', { n: plan.schools })}
              </Button>
            </div>
          </div>
        </FormFrame>
      </Panel>
      <Panel
        title={shown ? t('previewOf', { at: count(shown.at + 1), n: count(plan.schools) }) : t('preview')}
        aside={
          shown &&
          plan.schools > 1 && (
            <Button icon="right" busy={busy} onClick={previewAt(next)}>
              {t('next')}
            </Button>
          )
        }
      >
        {shown ? <Preview shown={shown} /> : <p className="quiet">{t('previewEmpty')}</p>}
      </Panel>
      <Suspense>
        {sending && (
          <SendDialog
            written={sending}
            plan={plan}
            onSent={() => {
              f.draft.discard()
              setShown(undefined)
            }}
            onClose={() => setSending(undefined)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** How many get it, and who is left out. */
function Reach({ plan }: { plan: MailingPlan }) {
  const bounced = useBouncedCount()(plan.bounced)
  const t = words.use()
  return (
    <div>
      <p>
        <b>{t('goesTo', { n: plan.schools })}</b> ({t('mailsN', { n: plan.mails })})
      </p>
      <p className="quiet">{t('noAccount')}</p>
      {plan.off > 0 && <p className="quiet">{t('off', { n: plan.off })}</p>}
      {bounced && <Note kind="due">{bounced}</Note>}
      {plan.unreachable > 0 && <Note kind="due">{t('unreachable', { n: plan.unreachable })}</Note>}
    </div>
  )
}

function Preview({ shown }: { shown: Shown }) {
  const t = words.use()
  return (
    <div className="stack" aria-live="polite">
      <p className="quiet">
        {shown.school} ({shown.schCode}) · {t('toNames', { names: shown.to.join(', ') })}
      </p>
      <h3>{shown.subject}</h3>
      <p className="as-typed">{shown.text}</p>
    </div>
  )
}
