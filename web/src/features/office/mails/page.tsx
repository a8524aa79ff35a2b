import { languageChoices, type WrittenLanguage } from '@podium/contract/languages'
import {
  type MailTemplate,
  mailTemplates,
  mailTextForm,
  previewMail,
  restoreMailText,
  saveMailText,
} from '@podium/contract/office/calls-mails'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { dayText } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useDebounced, useEndpoint, useInvalidate } from '#shell/query.ts'
import { Button, Segmented } from '#ui/button.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/office-mails.json'
import { mailFilters, mailTabs } from '../filters.ts'
import { Queue, words } from './queue.tsx'

interface Props {
  kind: string
  language: WrittenLanguage
  written: MailTemplate['en']
}

const shown = [mailTemplates]

/** The form of one text, with a preview and a reset to the original. */
function TextForm({ kind, language, written }: Props) {
  const t = words.use()
  const invalidate = useInvalidate(shown)
  const disabledReason = useMay('mails.write') ? undefined : t('mayNot')
  const { subject, body, version } = written
  const f = usePortalForm({
    schema: mailTextForm,
    initialValues: { subject, body },
    draftKey: `mail.${kind}.${language}`,
    version,
    save: async (values, opened) => {
      const body = { ...values, kind, language, version: opened.version }
      const saved = await call(saveMailText, { body })
      toast.success(t('saved'))
      await invalidate()
      return saved.version
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
            readOnly={disabledReason !== undefined}
            {...f.form.field('subject')}
          />
          <TextArea
            label={t('body')}
            hint={t('bodyHint')}
            lang={language}
            rows={9}
            readOnly={disabledReason !== undefined}
            {...f.form.field('body')}
          />
          <div className="row bottom gap-4">
            <Button type="submit" kind="primary" busy={f.saving} disabled={disabledReason}>
              {t('save')}
            </Button>
            {written.isCustom && (
              <Restore
                which={{ kind, language, version }}
                discard={f.draft.discard}
                disabledReason={disabledReason}
              />
            )}
          </div>
        </div>
      </FormFrame>
      <Preview which={{ kind, language }} typed={typed} />
    </>
  )
}

interface RestoreProps {
  which: { kind: string; language: Props['language']; version: number }
  /** Discards what is typed, which is no longer wanted. */
  discard: () => void
  disabledReason: string | undefined
}

function Restore({ which, discard, disabledReason }: RestoreProps) {
  const t = words.use()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button disabled={disabledReason} onClick={() => setAsking(true)}>
        {t('restore')}
      </Button>
      {asking && (
        <ConfirmAction
          title={t('restoreTitle')}
          action={t('restore')}
          act={() => call(restoreMailText, { body: which }).then(discard)}
          invalidates={shown}
          done={t('restored')}
          onClose={() => setAsking(false)}>
          <p>{t('restoreHint')}</p>
        </ConfirmAction>
      )}
    </>
  )
}

const waitsMs = 400

interface PreviewProps {
  which: { kind: string; language: Props['language'] }
  typed: { subject: string; body: string }
}

/** Previews the e-mail as it would be sent, shortly after the last keystroke. */
function Preview({ which, typed }: PreviewProps) {
  const t = words.use()
  const translate = useSentences()
  const [subject, body] = [useDebounced(typed.subject, waitsMs), useDebounced(typed.body, waitsMs)]
  const complete = subject.trim() !== '' && body.trim() !== ''
  const preview = useEndpoint(previewMail, { body: { ...which, subject, body }, enabled: complete })
  const problem = preview.error?.issues?.[0]?.message ?? preview.error?.message
  return (
    <Panel title={t('preview')}>
      <p className="quiet">{t('previewOf')}</p>
      {!complete && <p>{t('previewFirst')}</p>}
      {complete && problem !== undefined && <p role="alert">{translate(problem)}</p>}
      {complete && problem === undefined && preview.data && (
        <div lang={which.language}>
          <b>{preview.data.subject}</b>
          <p className="as-typed mt-3">{preview.data.text}</p>
        </div>
      )}
    </Panel>
  )
}

/** The texts that the office can edit, one at a time, with preview and history. */
export function Texts() {
  const t = words.use()
  const filters = useFilters(mailFilters)
  const list = useEndpoint(mailTemplates)
  if (list.error && !list.data) return <LoadProblem error={list.error} retry={list.refetch} />
  const [first] = list.data?.data ?? []
  if (!first) return <Skeleton shape="form" />
  const { text, language } = filters.values
  const template = list.data?.data.find(({ kind }) => kind === text) ?? first
  const written = template[language]
  return (
    <div className="with-aside">
      <div className="stack">
        <p className="quiet">{t('textsHint')}</p>
        <div className="row bottom gap-4">
          <SelectField
            label={t('which')}
            value={template.kind}
            choices={(list.data?.data ?? []).map(({ kind }) => ({ value: kind, label: nameOf(t, kind) }))}
            onChange={(event) => filters.change({ text: event.currentTarget.value })}
          />
          <Segmented
            label={t('language')}
            value={language}
            choices={languageChoices}
            onChange={(code) => filters.change({ language: code })}
          />
        </div>
        <p className="hint">
          {written.isCustom
            ? t('own', { name: written.changedBy, day: dayText(written.changedAt) })
            : t('original')}
        </p>
        <Placeholders template={template} />
        <TextForm
          key={`${template.kind} ${language}`}
          kind={template.kind}
          language={language}
          written={written}
        />
      </div>
      <RecordHistory kind="mail_text" id={template.kind} />
    </div>
  )
}

function nameOf(t: ReturnType<typeof words.use>, kind: string): string {
  return t(`text_${kind.replaceAll('-', '_')}` as keyof typeof en)
}

function Placeholders({ template }: { template: MailTemplate }) {
  const t = words.use()
  return (
    <dl className="row gap-5 small" aria-label={t('placeholders')}>
      {template.placeholders.map(({ name, example, needed }) => (
        <div key={name}>
          <dt>
            <code>{`{${name}}`}</code>
            {needed && <span className="quiet"> ({t('needed')})</span>}
          </dt>
          <dd className="quiet">{example}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The office's e-mails: the queue, failures and texts. */
export function MailsPage() {
  const t = words.use()
  const { tab } = useFilters(mailFilters).values
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')} />
      <LinkTabs label={t('parts')}>
        {mailTabs.map((name) => (
          <Link
            key={name}
            to="."
            search={mailFilters.validate({ tab: name })}
            replace
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === tab ? 'page' : undefined}>
            {t(name)}
          </Link>
        ))}
      </LinkTabs>
      {tab === 'queue' ? <Queue /> : <Texts />}
    </>
  )
}
